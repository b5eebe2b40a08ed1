package kinds;

import org.junit.Test;

public class ConstructorFailsTest {
    public ConstructorFailsTest() {
        throw new IllegalStateException("on purpose");
    }

    @Test
    public void neverRuns() {}
}
