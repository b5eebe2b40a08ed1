package kinds;

import java.lang.reflect.Method;
import org.testng.annotations.BeforeMethod;
import org.testng.annotations.Test;

public class BeforeMethodFailsTest {
    @BeforeMethod
    public void fails(Method method) {
        throw new IllegalStateException("on purpose");
    }

    @Test
    public void one() {}

    @Test
    public void two() {}
}
