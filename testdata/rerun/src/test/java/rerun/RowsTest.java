package rerun;

import static org.junit.Assert.assertTrue;

import java.util.Arrays;
import java.util.HashSet;
import java.util.Set;
import org.junit.Test;
import org.junit.runner.RunWith;
import org.junit.runners.Parameterized;
import org.junit.runners.Parameterized.Parameters;

/** Only even numbers are remembered, so only their rows fail the second time. */
@RunWith(Parameterized.class)
public class RowsTest {
    private static final Set<Integer> seen = new HashSet<>();
    private final int number;

    public RowsTest(int number) {
        this.number = number;
    }

    @Parameters
    public static Iterable<Integer> numbers() {
        return Arrays.asList(1, 2, 3, 4);
    }

    @Test
    public void isNew() {
        assertTrue(number % 2 == 1 || seen.add(number));
    }
}
