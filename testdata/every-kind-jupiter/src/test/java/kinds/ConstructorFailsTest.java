package kinds;

import org.junit.jupiter.api.Test;

class ConstructorFailsTest {
    ConstructorFailsTest() {
        throw new IllegalStateException("on purpose");
    }

    @Test
    void neverRuns() {}
}
