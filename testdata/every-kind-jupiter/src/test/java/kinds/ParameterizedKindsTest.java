package kinds;

import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Disabled;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.NullAndEmptySource;
import org.junit.jupiter.params.provider.ValueSource;

class ParameterizedKindsTest {
    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3})
    void oneFails(int number) {
        assertNotEquals(2, number);
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2})
    void oneIsAborted(int number) {
        assumeTrue(number == 1);
    }

    @ParameterizedTest(name = "{0} / {1}")
    @CsvSource({"a, 1", "'b, c', 2"})
    void hasANamePattern(String text, int number) {}

    // The same name twice: only the index tells the two apart.
    @ParameterizedTest(name = "same")
    @ValueSource(ints = {1, 2})
    void hasOneNameForAll(int number) {}

    @ParameterizedTest
    @NullAndEmptySource
    @ValueSource(strings = {" ", "\n", "ü"})
    void takesStrangeStrings(String text) {}

    static Stream<Arguments> genericArguments() {
        return Stream.of(Arguments.of(List.of(1), Map.of("k", new int[] {1})));
    }

    @ParameterizedTest
    @MethodSource("genericArguments")
    void takesGenerics(List<Integer> list, Map<String, int[]> map) {}

    static Stream<Arguments> failingArguments() {
        throw new IllegalStateException("on purpose");
    }

    @ParameterizedTest
    @MethodSource("failingArguments")
    void hasAFailingSource(int number) {}

    @Disabled("on purpose")
    @ParameterizedTest
    @ValueSource(ints = {1, 2})
    void isDisabled(int number) {}
}
