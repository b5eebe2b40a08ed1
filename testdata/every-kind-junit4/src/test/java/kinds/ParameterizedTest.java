package kinds;

import static org.junit.Assert.assertNotEquals;

import org.junit.Ignore;
import org.junit.Test;
import org.junit.runner.RunWith;
import org.junit.runners.Parameterized;
import org.junit.runners.Parameterized.Parameter;
import org.junit.runners.Parameterized.Parameters;

@RunWith(Parameterized.class)
public class ParameterizedTest {
    @Parameters
    public static Object[] numbers() {
        return new Object[] {1, 2};
    }

    @Parameter
    public int number;

    @Test
    public void failsForTwo() {
        assertNotEquals(2, number);
    }

    @Test
    public void passes() {}

    @Ignore("on purpose")
    @Test
    public void isIgnored() {}
}
