package kinds;

import org.testng.annotations.AfterClass;
import org.testng.annotations.BeforeClass;
import org.testng.annotations.BeforeMethod;
import org.testng.annotations.Test;

public class BeforeClassFailsTest {
    @BeforeClass
    public void fails() {
        throw new IllegalStateException("on purpose");
    }

    @BeforeMethod
    public void isSkipped() {}

    @Test
    public void neverRuns() {}

    @AfterClass
    public void isSkippedToo() {}
}
