package kinds;

import org.testng.annotations.AfterMethod;
import org.testng.annotations.Test;

public class AfterMethodFailsTest {
    @AfterMethod
    public void fails() {
        throw new IllegalStateException("on purpose");
    }

    @Test
    public void one() {}

    @Test
    public void two() {}
}
