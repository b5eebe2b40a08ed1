package pollution;

import static org.junit.jupiter.api.DynamicTest.dynamicTest;

import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

/** A test that a method makes: what is before and after is the method's. */
class MadeStagesTest {
    @BeforeEach
    void setUp() {
        Stages.pass("the maker's set-up");
    }

    @TestFactory
    List<DynamicTest> made() {
        return List.of(dynamicTest("made", () -> Stages.pass("made test")));
    }

    @AfterEach
    void tearDown() {
        Stages.pass("the maker's tear-down");
    }
}
