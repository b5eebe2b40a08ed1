package kinds;

import static org.junit.Assume.assumeTrue;

import org.junit.BeforeClass;
import org.junit.Test;

public class BeforeClassAbortsTest {
    @BeforeClass
    public static void aborts() {
        assumeTrue(false);
    }

    @Test
    public void neverRuns() {}
}
