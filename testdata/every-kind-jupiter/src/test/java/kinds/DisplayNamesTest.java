package kinds;

import static org.junit.jupiter.api.DynamicTest.dynamicTest;

import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.DynamicNode;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@DisplayName("Names / with [odd] (characters)")
class DisplayNamesTest {
    @Test
    @DisplayName("spaces and / slash")
    void slash() {}

    @Test
    @DisplayName("[brackets](parens){braces}<angles>")
    void brackets() {}

    @Test
    @DisplayName("ünï¢ødé 漢字 🦶")
    void unicode() {}

    @Test
    @DisplayName("two\nlines\tand a tab")
    void newline() {}

    @Test
    @DisplayName("\"double\" 'single' `back` & ampersand % percent")
    void quotes() {}

    // Java takes it as an identifier, so somebody uses it.
    @Test
    void größe$_1() {}

    @ParameterizedTest(name = "[{0}]")
    @ValueSource(strings = {"a/b", "a:b", "(x)", "[engine:x]", "line\nbreak", "\u0007", "%", "\"quoted\"", ""})
    void takesOddArguments(String text) {}

    @TestFactory
    Stream<DynamicNode> makesOddNames() {
        return Stream.of("a/b", "(x)", "m()[1]", "two\nlines", "漢字", "%2F").map(name -> dynamicTest(name, () -> {}));
    }

    @Nested
    @DisplayName("nested, with a name")
    class Named {
        @Test
        void passes() {}
    }

    @Nested
    class Unnamed {
        @Test
        void passes() {}
    }
}
