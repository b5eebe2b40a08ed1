package kinds;

import static org.junit.Assert.fail;

import org.junit.After;
import org.junit.Test;

public class AfterFailsTest {
    @After
    public void failsToo() {
        throw new IllegalStateException("on purpose");
    }

    @Test
    public void passesItself() {}

    // Two failure events for one test.
    @Test
    public void failsItself() {
        fail("on purpose");
    }
}
