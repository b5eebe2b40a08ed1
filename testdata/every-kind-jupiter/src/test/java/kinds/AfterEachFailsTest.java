package kinds;

import static org.junit.jupiter.api.Assertions.fail;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class AfterEachFailsTest {
    @AfterEach
    void failsToo() {
        throw new IllegalStateException("on purpose");
    }

    @Test
    void passesItself() {}

    @Test
    void failsItself() {
        fail("on purpose");
    }
}
