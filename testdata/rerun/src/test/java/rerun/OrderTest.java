package rerun;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertNotNull;

import org.junit.FixMethodOrder;
import org.junit.Test;
import org.junit.runners.MethodSorters;

/** One test needs the one before it, one suffers from it, and one simply fails. */
@FixMethodOrder(MethodSorters.NAME_ASCENDING)
public class OrderTest {
    private static String language;
    private static int width = 80;

    @Test
    public void a_sets() {
        language = "en";
        width = 120;
    }

    @Test
    public void b_brittle() {
        assertNotNull(language);
    }

    @Test
    public void c_victim() {
        assertEquals(80, width);
    }

    @Test
    public void d_fails() {
        assertEquals(5, 2 + 2);
    }
}
