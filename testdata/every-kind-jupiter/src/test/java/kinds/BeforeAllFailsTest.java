package kinds;

import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class BeforeAllFailsTest {
    @BeforeAll
    static void fails() {
        throw new IllegalStateException("on purpose");
    }

    @Test
    void neverRuns() {}

    @ParameterizedTest
    @ValueSource(ints = {1, 2})
    void neverRunsEither(int number) {}

    @Nested
    class Inner {
        @Test
        void neverRunsToo() {}
    }
}
