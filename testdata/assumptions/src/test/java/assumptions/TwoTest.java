package assumptions;

import static org.junit.Assert.assertFalse;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import org.junit.Test;

/** It takes two choices out of many. */
public class TwoTest {
    private static List<String> first() {
        return new ArrayList<>(new HashSet<>(Arrays.asList("a", "b")));
    }

    private static List<String> second() {
        return new ArrayList<>(new HashSet<>(Arrays.asList("c", "d")));
    }

    @Test
    public void notBoth() {
        for (int i = 0; i < 10; i++) {
            new HashSet<>(Arrays.asList("x", "y", "z")).toString();
        }
        assertFalse(first().get(0).equals("b") && second().get(0).equals("d"));
    }
}
