package kinds;

import junit.extensions.RepeatedTest;
import junit.extensions.TestSetup;
import junit.framework.Test;
import junit.framework.TestCase;
import junit.framework.TestSuite;

public class SuiteMethodTest {
    public static Test suite() {
        TestSuite suite = new TestSuite("a suite with a name");
        suite.addTest(new Named("spaces and / slash"));
        suite.addTest(new Named("(parens) [brackets]"));
        suite.addTest(new Named("ünï¢ødé 漢字"));
        suite.addTest(new Named("two\nlines"));
        suite.addTest(new Named("same"));
        suite.addTest(new Named("same"));
        suite.addTest(new RepeatedTest(new Named("repeated"), 2));
        suite.addTest(new TestSetup(new TestSuite(Member.class)));
        return suite;
    }

    /** Its name is no method: it overrides runTest. */
    public static class Named extends TestCase {
        Named(String name) {
            super(name);
        }

        @Override
        protected void runTest() {}
    }

    public static class Member extends TestCase {
        public void testInSuite() {}
    }
}
