package kinds;

import junit.framework.TestCase;

public class JUnit3StyleTest extends TestCase {
    public void testPasses() {}

    public void testFails() {
        fail("on purpose");
    }

    public void testThrows() {
        throw new IllegalStateException("on purpose");
    }
}
