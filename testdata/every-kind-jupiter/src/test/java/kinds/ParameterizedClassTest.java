package kinds;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@ParameterizedClass
@ValueSource(ints = {1, 2})
class ParameterizedClassTest {
    private final int number;

    ParameterizedClassTest(int number) {
        this.number = number;
    }

    @Test
    void failsForTwo() {
        assertEquals(1, number);
    }

    @ParameterizedTest
    @ValueSource(strings = {"a", "b"})
    void isParameterizedToo(String text) {}

    @Nested
    class Inner {
        @Test
        void passes() {}
    }
}
