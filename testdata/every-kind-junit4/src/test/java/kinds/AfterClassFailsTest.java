package kinds;

import org.junit.AfterClass;
import org.junit.Test;

public class AfterClassFailsTest {
    @AfterClass
    public static void fails() {
        throw new AssertionError("on purpose");
    }

    @Test
    public void passes() {}
}
