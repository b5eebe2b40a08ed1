package kinds;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;

class AfterAllFailsTest {
    @AfterAll
    static void fails() {
        throw new AssertionError("on purpose");
    }

    @Test
    void passes() {}
}
