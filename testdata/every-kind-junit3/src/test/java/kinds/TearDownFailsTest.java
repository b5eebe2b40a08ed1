package kinds;

import junit.framework.TestCase;

public class TearDownFailsTest extends TestCase {
    @Override
    protected void tearDown() {
        throw new IllegalStateException("on purpose");
    }

    public void testPassesItself() {}

    public void testFailsItself() {
        fail("on purpose");
    }
}
