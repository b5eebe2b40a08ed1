package assumptions;

import static org.junit.Assert.assertEquals;

import java.util.Arrays;
import java.util.HashSet;
import java.util.Set;
import org.junit.FixMethodOrder;
import org.junit.Test;
import org.junit.runners.MethodSorters;

/** What one test works out is kept for the others, in the order that the first one saw. */
@FixMethodOrder(MethodSorters.NAME_ASCENDING)
public class KeptTest {
    private static String kept;

    private static int sum(Integer... numbers) {
        int sum = 0;
        for (int number : new HashSet<>(Arrays.asList(numbers))) {
            sum += number;
        }
        return sum;
    }

    @Test
    public void a1() {
        assertEquals(3, sum(1, 2));
    }

    @Test
    public void a2() {
        Set<Integer> numbers = new HashSet<>(Arrays.asList(1, 2, 3, 4, 5));
        StringBuilder text = new StringBuilder();
        for (int number : numbers) {
            text.append(number);
        }
        kept = text.toString();
    }

    @Test
    public void a3() {
        assertEquals(5, sum(2, 3));
    }

    @Test
    public void b() {
        assertEquals(7, sum(3, 4));
        if (kept != null) {
            assertEquals("12345", kept);
        }
    }
}
