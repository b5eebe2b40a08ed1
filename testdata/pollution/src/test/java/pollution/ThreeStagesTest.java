package pollution;

import junit.framework.TestCase;

/** The same with JUnit 3. */
public class ThreeStagesTest extends TestCase {
    public ThreeStagesTest() {
        Stages.pass("construction");
    }

    @Override
    protected void setUp() {
        Stages.pass("set-up");
    }

    public void testPasses() {
        Stages.pass("test");
    }

    @Override
    protected void tearDown() {
        Stages.pass("tear-down");
    }
}
