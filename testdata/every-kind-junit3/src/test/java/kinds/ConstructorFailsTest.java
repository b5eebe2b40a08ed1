package kinds;

import junit.framework.TestCase;

public class ConstructorFailsTest extends TestCase {
    public ConstructorFailsTest() {
        throw new IllegalStateException("on purpose");
    }

    public void testNeverRuns() {}
}
