package kinds;

import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestInstance.Lifecycle;

class NestedBeforeAllFailsTest {
    @Test
    void passes() {}

    @Nested
    @TestInstance(Lifecycle.PER_CLASS)
    class Inner {
        @BeforeAll
        void fails() {
            throw new IllegalStateException("on purpose");
        }

        @Test
        void neverRuns() {}
    }
}
