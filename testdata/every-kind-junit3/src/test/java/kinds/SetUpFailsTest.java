package kinds;

import junit.framework.TestCase;

public class SetUpFailsTest extends TestCase {
    @Override
    protected void setUp() {
        throw new IllegalStateException("on purpose");
    }

    public void testOne() {}

    public void testTwo() {}
}
