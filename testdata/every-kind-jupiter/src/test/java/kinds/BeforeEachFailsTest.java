package kinds;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class BeforeEachFailsTest {
    @BeforeEach
    void fails() {
        throw new IllegalStateException("on purpose");
    }

    @Test
    void one() {}

    @Test
    void two() {}
}
