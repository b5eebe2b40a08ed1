package pollution;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

/** Jupiter: all tests of a class may run on one object. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class PerClassTest {
    private final List<String> orders = new ArrayList<>();
    private final List<String> other = new ArrayList<>();
    private List<String> anew = new ArrayList<>();

    @BeforeEach
    void setUp() {
        anew = new ArrayList<>();
    }

    @Test
    void leavesAnOrder() {
        orders.add("pear");
        assertEquals(1, orders.size());
    }

    @Test
    void fillsWhatIsSetAnew() {
        anew.add("apple");
    }

    /** Each of its tests has an object of its own. */
    @Nested
    @TestInstance(TestInstance.Lifecycle.PER_METHOD)
    class Inner {
        private final List<String> own = new ArrayList<>();

        @Test
        void fillsItsOwn() {
            own.add("plum");
        }
    }
}
