package kinds;

import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import org.junit.jupiter.api.Disabled;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInfo;

class PlainTest {
    @Test
    void passes() {}

    @Test
    void passesWithInjectedParameter(TestInfo info) {}

    @Test
    void failsAnAssertion() {
        assertTrue(false);
    }

    @Test
    void throwsAnException() {
        throw new IllegalStateException("on purpose");
    }

    @Test
    void throwsAnError() {
        throw new StackOverflowError("on purpose");
    }

    @Test
    void isAborted() {
        assumeTrue(false, "on purpose");
    }

    @Disabled("on purpose")
    @Test
    void isDisabled() {}
}
