package assumptions;

import static org.junit.Assert.assertEquals;

import java.util.HashMap;
import java.util.Map;
import org.junit.Test;

/** Figure 2.8: one order of 24 is right. */
public class MapUtilsTest {
    static String prettyPrint(Map<?, ?> map) {
        StringBuilder text = new StringBuilder();
        for (Map.Entry<?, ?> entry : map.entrySet()) {
            text.append(", ").append(entry.getKey()).append(" -> ").append(entry.getValue()).append(' ');
        }
        return "{" + text.substring(1) + "}";
    }

    private static Map<Integer, String> numbers() {
        Map<Integer, String> map = new HashMap<>();
        map.put(1, "one");
        map.put(2, "two");
        map.put(3, "three");
        map.put(4, "four");
        return map;
    }

    @Test
    public void shouldPrettyPrintMap() {
        assertEquals("{ 1 -> one , 2 -> two , 3 -> three , 4 -> four }", prettyPrint(numbers()));
    }

    @Test
    public void shouldPrettyPrintAnother() {
        Map<Integer, String> map = numbers();
        map.remove(1);
        assertEquals("{ 2 -> two , 3 -> three , 4 -> four }", prettyPrint(map));
    }
}
