package rerun;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.HashSet;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests that a framework makes while it runs, and tests in tests. */
class JupiterTest {
    private static final Set<Object> seen = new HashSet<>();

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 4})
    void rows(int number) {
        assertTrue(number % 2 == 1 || seen.add("row " + number));
    }

    @TestFactory
    Stream<DynamicTest> made() {
        return Stream.of("odd", "even")
                .map(name -> DynamicTest.dynamicTest(name, () -> assertTrue(name.equals("odd") || seen.add(name))));
    }

    @Test
    void isSound() {
        assertEquals(4, 2 + 2);
    }

    @Nested
    class Inner {
        @BeforeEach
        void register() {
            assertTrue(seen.add("inner"), "registered already");
        }

        @Test
        void isRegistered() {
            assertTrue(seen.contains("inner"));
        }
    }
}
