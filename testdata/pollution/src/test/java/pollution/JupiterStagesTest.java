package pollution;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.AfterEachCallback;
import org.junit.jupiter.api.extension.BeforeEachCallback;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.extension.ExtensionContext;

/** The same with Jupiter. */
@ExtendWith(JupiterStagesTest.Extension.class)
class JupiterStagesTest {
    static class Extension implements BeforeEachCallback, AfterEachCallback {
        @Override
        public void beforeEach(ExtensionContext context) {
            Stages.pass("an extension's set-up");
        }

        @Override
        public void afterEach(ExtensionContext context) {
            Stages.pass("an extension's tear-down");
        }
    }

    JupiterStagesTest() {
        Stages.pass("construction");
    }

    @BeforeEach
    void setUp() {
        Stages.pass("set-up");
    }

    @Test
    void passes() {
        Stages.pass("test");
    }

    @AfterEach
    void tearDown() {
        Stages.pass("tear-down");
    }
}
