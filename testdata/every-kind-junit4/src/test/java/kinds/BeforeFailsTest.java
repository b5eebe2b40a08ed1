package kinds;

import org.junit.Before;
import org.junit.Test;

public class BeforeFailsTest {
    @Before
    public void fails() {
        throw new IllegalStateException("on purpose");
    }

    @Test
    public void one() {}

    @Test
    public void two() {}
}
