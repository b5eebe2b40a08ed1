package rerun;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertNull;

import org.junit.Test;

/** Section 5.4: a system property that must not be set before, and is set after. */
public class PropertyTest {
    @Test
    public void ensureTrustStoreSettings() {
        assertNull(System.getProperty("rerun.trustStore"));
        System.setProperty("rerun.trustStore", "settings.jks");
        assertEquals("settings.jks", System.getProperty("rerun.trustStore"));
    }
}
