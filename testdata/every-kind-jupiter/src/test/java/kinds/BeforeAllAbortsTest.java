package kinds;

import static org.junit.jupiter.api.Assumptions.abort;

import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

class BeforeAllAbortsTest {
    @BeforeAll
    static void aborts() {
        abort("on purpose");
    }

    @Test
    void neverRuns() {}
}
