package assumptions;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertTrue;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import org.junit.Test;

/** Tests that are right, whatever order a hash table has. */
public class SoundTest {
    @Test
    public void sets() {
        Set<String> set = new HashSet<>(Arrays.asList("a", "b", "c"));
        assertEquals(new TreeSet<>(Arrays.asList("c", "b", "a")), set);
        List<String> sorted = new ArrayList<>(set);
        Collections.sort(sorted);
        assertEquals("[a, b, c]", sorted.toString());
    }

    @Test
    public void insertionOrder() {
        Map<String, Integer> map = new LinkedHashMap<>();
        map.put("z", 1);
        map.put("a", 2);
        assertEquals("{z=1, a=2}", map.toString());
    }

    @Test
    public void twice() {
        Map<String, Integer> map = new HashMap<>();
        map.put("z", 1);
        map.put("a", 2);
        map.put("k", 2);
        assertEquals(map.toString(), map.toString());
        assertEquals(new ArrayList<>(map.keySet()), new ArrayList<>(Arrays.asList(map.keySet().toArray())));
    }

    /** Fails every other time, by chance, and reads a set. */
    @Test
    public void byChance() {
        assertEquals(3, new HashSet<>(Arrays.asList("a", "b", "c")).toString().split(",").length);
        assertTrue(System.getProperty("chance") == null || new Random().nextBoolean());
    }
}
