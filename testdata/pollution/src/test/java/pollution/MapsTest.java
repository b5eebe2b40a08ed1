package pollution;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.IdentityHashMap;
import java.util.LinkedHashMap;
import java.util.LinkedList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.WeakHashMap;
import java.util.concurrent.ConcurrentHashMap;
import org.junit.FixMethodOrder;
import org.junit.Test;
import org.junit.runners.MethodSorters;

/** What no test can see is no change; PolDet, 4.1.2: one empty map for another. */
@FixMethodOrder(MethodSorters.NAME_ASCENDING)
public class MapsTest {
    static Map<String, String> mappers = new HashMap<>();
    static final Map<String, Integer> hash = new HashMap<>();
    static final Map<String, Integer> linked = new LinkedHashMap<>();
    static final Map<String, Integer> tree = new TreeMap<>();
    static final Map<String, Integer> concurrent = new ConcurrentHashMap<>();
    static final Map<Object, Integer> identity = new IdentityHashMap<>();
    static final Map<Object, Integer> weak = new WeakHashMap<>();
    static final Set<String> set = new HashSet<>(Arrays.asList("a", "b", "c"));
    static final List<String> list = new ArrayList<>();
    static final List<String> links = new LinkedList<>();
    static final ArrayDeque<String> deque = new ArrayDeque<>();
    static final List<String> guarded = Collections.synchronizedList(new ArrayList<>());
    static final Map<String, Integer> guardedMap = Collections.synchronizedMap(new TreeMap<>());
    static final List<String> view = Collections.unmodifiableList(list);
    private static final Object KEY = new Object();

    @Test
    public void a_replacesAnEmptyMap() {
        mappers = new HashMap<>(64);
    }

    /** Only capacities and counters of changes are other than before. */
    @Test
    public void b_putsAndRemoves() {
        for (int i = 0; i < 100; i++) {
            hash.put("k" + i, i);
            linked.put("k" + i, i);
            tree.put("k" + i, i);
            concurrent.put("k" + i, i);
            set.add("k" + i);
            list.add("k" + i);
            links.add("k" + i);
            deque.add("k" + i);
        }
        identity.put(KEY, 1);
        weak.put(KEY, 1);
        hash.clear();
        linked.clear();
        tree.clear();
        concurrent.clear();
        list.clear();
        links.clear();
        deque.clear();
        identity.clear();
        weak.clear();
        set.removeIf(key -> key.startsWith("k"));
    }

    /** The same members, put in again in another order. */
    @Test
    public void c_putsInAnotherOrder() {
        set.clear();
        set.addAll(Arrays.asList("c", "b", "a"));
    }

    @Test
    public void d_putsOneIntoEach() {
        hash.put("new", 1);
        linked.put("new", 1);
        tree.put("new", 1);
        concurrent.put("new", 1);
        identity.put(KEY, 1);
        weak.put(KEY, 1);
        set.add("new");
        list.add("new");
        links.add("new");
        deque.add("new");
        guarded.add("new");
        guardedMap.put("new", 1);
    }
}
