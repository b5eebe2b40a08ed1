package pollution;

import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import org.junit.FixMethodOrder;
import org.junit.Test;
import org.junit.runners.MethodSorters;

/** Much state, of which a test changes one entry. */
@FixMethodOrder(MethodSorters.NAME_ASCENDING)
public class MillionTest {
    static final Map<Integer, Integer> million = new HashMap<>();

    /** One array, three times. */
    static final int[][] ways = new int[3][];

    static {
        Arrays.fill(ways, new int[100]);
        for (int i = 0; i < 1_000_000; i++) {
            million.put(i, i);
        }
    }

    @Test
    public void a_reads() {
        million.get(5);
    }

    @Test
    public void b_changesOne() {
        million.put(77, -1);
    }

    @Test
    public void c_changesANumber() {
        ways[1][5] = 7;
    }
}
