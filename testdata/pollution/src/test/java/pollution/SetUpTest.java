package pollution;

import junit.extensions.TestSetup;
import junit.framework.Test;
import junit.framework.TestCase;
import junit.framework.TestSuite;

/** Class-level set-up in JUnit 3 is what is around the suite. */
public class SetUpTest extends TestCase {
    public static Test suite() {
        Test tidy = new TestSetup(new TestSuite(SetUpTest.class)) {
            @Override
            protected void setUp() {
                System.setProperty("pollution.inside", "removed");
            }

            @Override
            protected void tearDown() {
                System.clearProperty("pollution.inside");
            }
        };
        return new TestSetup(tidy) {
            @Override
            protected void setUp() {
                System.setProperty("pollution.junit3", "left");
            }
        };
    }

    public void testReads() {
        assertEquals("left", System.getProperty("pollution.junit3"));
        assertEquals("removed", System.getProperty("pollution.inside"));
    }

    /** This one is its own. */
    public void testRegisters() {
        PotionEffectType.register(new PotionEffectType(32, "own"));
    }
}
