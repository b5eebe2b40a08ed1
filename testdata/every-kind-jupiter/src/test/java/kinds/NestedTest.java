package kinds;

import static org.junit.jupiter.api.Assertions.fail;

import org.junit.jupiter.api.Disabled;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class NestedTest {
    @Test
    void outside() {}

    @Nested
    class Inner {
        @Test
        void passes() {}

        @ParameterizedTest
        @ValueSource(ints = {1, 2})
        void parameterized(int number) {}

        @Nested
        class Innermost {
            @Test
            void fails() {
                fail("on purpose");
            }
        }
    }

    @Disabled("on purpose")
    @Nested
    class DisabledInner {
        @Test
        void neverRuns() {}

        @ParameterizedTest
        @ValueSource(ints = {1, 2})
        void neverRunsEither(int number) {}

        @Nested
        class Innermost {
            @Test
            void neverRunsToo() {}
        }
    }
}
