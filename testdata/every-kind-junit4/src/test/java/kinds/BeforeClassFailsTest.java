package kinds;

import org.junit.BeforeClass;
import org.junit.Test;

public class BeforeClassFailsTest {
    @BeforeClass
    public static void fails() {
        throw new IllegalStateException("on purpose");
    }

    @Test
    public void neverRuns() {}
}
