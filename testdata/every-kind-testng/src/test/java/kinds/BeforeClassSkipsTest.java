package kinds;

import org.testng.SkipException;
import org.testng.annotations.BeforeClass;
import org.testng.annotations.Test;

public class BeforeClassSkipsTest {
    @BeforeClass
    public void skips() {
        throw new SkipException("on purpose");
    }

    @Test
    public void neverRuns() {}
}
