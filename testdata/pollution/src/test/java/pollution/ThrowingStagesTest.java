package pollution;

import org.junit.After;
import org.junit.Before;
import org.junit.FixMethodOrder;
import org.junit.Rule;
import org.junit.Test;
import org.junit.rules.ExpectedException;
import org.junit.runners.MethodSorters;

/** Test methods that do not simply return. */
@FixMethodOrder(MethodSorters.NAME_ASCENDING)
public class ThrowingStagesTest {
    @Rule
    public final ExpectedException thrown = ExpectedException.none();

    @Before
    public void setUp() {
        Stages.pass("set-up");
    }

    @Test(expected = IllegalStateException.class)
    public void a_expects() {
        Stages.pass("expects");
        throw new IllegalStateException();
    }

    @Test
    public void b_expectsByARule() {
        Stages.pass("expects by a rule");
        thrown.expect(IllegalStateException.class);
        throw new IllegalStateException();
    }

    @Test(timeout = 60_000)
    public void c_hasATimeout() {
        Stages.pass("has a timeout");
    }

    @Test(timeout = 60_000, expected = IllegalStateException.class)
    public void d_hasBoth() {
        Stages.pass("has both");
        throw new IllegalStateException();
    }

    @After
    public void tearDown() {
        Stages.pass("tear-down");
    }
}
