package kinds;

import junit.framework.TestCase;

/** JUnit answers a class without tests with a failing test of its own. */
public class WarningTest extends TestCase {
    private void testIsPrivate() {}
}
