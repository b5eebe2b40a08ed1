package kinds;

import org.junit.jupiter.api.Disabled;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInfo;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@Disabled("on purpose")
class DisabledClassTest {
    @Test
    void one() {}

    @Test
    void two(TestInfo info) {}

    @ParameterizedTest
    @ValueSource(ints = {1, 2})
    void parameterized(int number) {}

    @Nested
    class Inner {
        @Test
        void inner() {}
    }
}
