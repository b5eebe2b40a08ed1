package kinds;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertNotNull;

import org.junit.Rule;
import org.junit.Test;
import org.junit.rules.ErrorCollector;
import org.junit.rules.TemporaryFolder;
import org.junit.rules.TestName;

public class RulesTest {
    @Rule
    public final TestName name = new TestName();

    @Rule
    public final TemporaryFolder folder = new TemporaryFolder();

    @Rule
    public final ErrorCollector errors = new ErrorCollector();

    @Test
    public void knowsItsName() {
        assertEquals("knowsItsName", name.getMethodName());
        assertNotNull(folder.getRoot());
    }

    // Two failure events for one test.
    @Test
    public void collectsTwoErrors() {
        errors.addError(new AssertionError("one"));
        errors.addError(new IllegalStateException("two"));
    }
}
