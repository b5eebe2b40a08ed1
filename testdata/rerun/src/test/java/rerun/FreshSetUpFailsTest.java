package rerun;

import org.junit.BeforeClass;
import org.junit.Test;

/** The class-level set-up itself fails the second time, and no test of the class starts. */
public class FreshSetUpFailsTest {
    private static boolean bound;

    @BeforeClass
    public static void bind() {
        if (bound) {
            throw new IllegalStateException("address already in use");
        }
        bound = true;
    }

    @Test
    public void answers() {}
}
