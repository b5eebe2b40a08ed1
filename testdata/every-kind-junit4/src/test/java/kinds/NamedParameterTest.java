package kinds;

import org.junit.Test;
import org.junit.runner.RunWith;
import org.junit.runners.Parameterized;
import org.junit.runners.Parameterized.Parameters;

@RunWith(Parameterized.class)
public class NamedParameterTest {
    @Parameters(name = "{index}: {0} (to the power of) {1}")
    public static Object[][] table() {
        return new Object[][] {{1, "a"}, {2, "b"}};
    }

    public NamedParameterTest(int number, String text) {}

    @Test
    public void passes() {}
}
