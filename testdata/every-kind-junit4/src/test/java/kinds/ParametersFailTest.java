package kinds;

import org.junit.Test;
import org.junit.runner.RunWith;
import org.junit.runners.Parameterized;
import org.junit.runners.Parameterized.Parameters;

@RunWith(Parameterized.class)
public class ParametersFailTest {
    @Parameters
    public static Object[] fails() {
        throw new IllegalStateException("on purpose");
    }

    public ParametersFailTest(Object parameter) {}

    @Test
    public void neverRuns() {}
}
