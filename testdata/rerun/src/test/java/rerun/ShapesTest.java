package rerun;

import static org.junit.Assert.assertArrayEquals;
import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertNull;
import static org.junit.Assert.assertSame;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import org.junit.Test;

/** State of every shape, all of which must be as it was for the test to pass again. */
public class ShapesTest {
    static final class State {
        final Map<String, Integer> hash = new HashMap<>(Collections.singletonMap("one", 1));
        final Map<String, Integer> linked = new LinkedHashMap<>(Collections.singletonMap("one", 1));
        final Map<String, Integer> tree = new TreeMap<>(Collections.singletonMap("one", 1));
        final Map<String, Integer> concurrent = new ConcurrentHashMap<>(Collections.singletonMap("one", 1));
        final List<String> list = new ArrayList<>(Arrays.asList("a", "b"));
        final ArrayDeque<String> deque = new ArrayDeque<>(Arrays.asList("a", "b"));
        final int[] numbers = {1, 2, 3};
        final Object[] objects = {"a", null};
        final List<Object> self = new ArrayList<>();
        long big = 1L << 40;
        double half = 0.5;
        char letter = 'a';
        Object replaced = list;
    }

    /** A class without an initialiser, that the test is the first to use. */
    static final class Unset {
        static int level;
        static Object owner;
    }

    private static final State STATE = new State();
    private static String text = "before";

    @Test
    public void changesAllOfIt() {
        assertEquals(Collections.singletonMap("one", 1), STATE.hash);
        assertEquals(Collections.singletonMap("one", 1), STATE.linked);
        assertEquals(Collections.singletonMap("one", 1), STATE.tree);
        assertEquals(Collections.singletonMap("one", 1), STATE.concurrent);
        assertEquals(Arrays.asList("a", "b"), STATE.list);
        assertEquals(Arrays.asList("a", "b"), new ArrayList<>(STATE.deque));
        assertArrayEquals(new int[] {1, 2, 3}, STATE.numbers);
        assertArrayEquals(new Object[] {"a", null}, STATE.objects);
        assertEquals(0, STATE.self.size());
        assertEquals(1L << 40, STATE.big);
        assertEquals(0.5, STATE.half, 0);
        assertEquals('a', STATE.letter);
        assertSame(STATE.list, STATE.replaced);
        assertEquals("before", text);
        assertEquals(0, Unset.level);
        assertNull(Unset.owner);

        for (int i = 0; i < 1000; i++) {
            for (Map<String, Integer> map : Arrays.asList(STATE.hash, STATE.linked, STATE.tree, STATE.concurrent)) {
                map.put("key " + i, i);
                map.remove("one");
            }
            STATE.list.add(0, "more");
            STATE.deque.push("more");
        }
        STATE.numbers[1] = 7;
        STATE.objects[1] = STATE;
        STATE.self.add(STATE.self);
        STATE.big = 2;
        STATE.half = 2;
        STATE.letter = 'b';
        STATE.replaced = "another";
        text = "after";
        Unset.level = 3;
        Unset.owner = this;
    }
}
