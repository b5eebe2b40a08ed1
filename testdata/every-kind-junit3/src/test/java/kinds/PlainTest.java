package kinds;

import junit.framework.TestCase;

public class PlainTest extends TestCase {
    public void testPasses() {}

    public void testFailsAnAssertion() {
        assertTrue(false);
    }

    public void testThrowsAnException() {
        throw new IllegalStateException("on purpose");
    }

    public void testThrowsAnError() {
        throw new StackOverflowError("on purpose");
    }

    // Not a test: it has a parameter.
    public void testOverload(int number) {}

    public void testOverload() {}
}
