package testdata.till;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

class TillTest {
    @Test
    void holdsWhatWasPutIn() {
        Till till = new Till();
        till.put(5);
        assertEquals(5, till.cents());
    }

    /** Fails where the tests run from the class path. */
    @Test
    void isInANamedModule() {
        assertTrue(getClass().getModule().isNamed());
    }
}
