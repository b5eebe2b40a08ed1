package kinds;

import org.junit.jupiter.api.RepetitionInfo;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInfo;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class OverloadsTest {
    @Test
    void same() {}

    @Test
    void same(TestInfo info) {}

    @ParameterizedTest
    @ValueSource(ints = {1, 2})
    void same(int number) {}

    @ParameterizedTest
    @ValueSource(strings = {"a", "b"})
    void same(String text) {}

    @RepeatedTest(2)
    void same(RepetitionInfo info) {}
}
