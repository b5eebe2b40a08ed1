package pollution;

import static org.junit.Assert.assertEquals;

import org.junit.AfterClass;
import org.junit.BeforeClass;
import org.junit.Test;

/** Class-level tear-down undoes what the set-up did. */
public class TidyClassTest {
    @BeforeClass
    public static void setUpClass() {
        System.setProperty("pollution.tidy", "set");
        PotionEffectType.register(new PotionEffectType(40, "tidy"));
    }

    @AfterClass
    public static void tearDownClass() {
        System.clearProperty("pollution.tidy");
        PotionEffectType.unregister("tidy");
    }

    @Test
    public void reads() {
        assertEquals("set", System.getProperty("pollution.tidy"));
    }
}
