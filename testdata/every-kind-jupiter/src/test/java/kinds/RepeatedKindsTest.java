package kinds;

import static org.junit.jupiter.api.Assertions.assertNotEquals;

import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.RepetitionInfo;

class RepeatedKindsTest {
    @RepeatedTest(2)
    void twice() {}

    @RepeatedTest(value = 3, name = "{displayName} {currentRepetition}/{totalRepetitions}")
    void secondFails(RepetitionInfo info) {
        assertNotEquals(2, info.getCurrentRepetition());
    }
}
