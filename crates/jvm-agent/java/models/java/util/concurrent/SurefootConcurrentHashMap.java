package java.util.concurrent;

import java.util.SurefootChoices;
import java.util.SurefootSource;
import java.util.function.BiFunction;

/**
 * ConcurrentHashMap, its views and its key sets; Properties too, which keep their entries in one. No order is specified, and
 * traversals "are guaranteed to traverse elements as they existed upon construction exactly once".
 */
public final class SurefootConcurrentHashMap extends SurefootSource {
    private static final int ENTRIES = 2;

    /** Null in a bulk operation, which only knows the table. */
    private final ConcurrentHashMap<?, ?> map;
    private final ConcurrentHashMap.Node<Object, Object>[] table;
    private final int view;

    private SurefootConcurrentHashMap(ConcurrentHashMap<?, ?> map, int model, int view) {
        this(map, map.table, model, view);
    }

    /** Tables stand for their maps, which make another one only when they grow. */
    @SuppressWarnings("unchecked")
    private SurefootConcurrentHashMap(
            ConcurrentHashMap<?, ?> map, ConcurrentHashMap.Node<?, ?>[] table, int model, int view) {
        super(table, model);
        this.map = map;
        this.table = (ConcurrentHashMap.Node<Object, Object>[]) table;
        this.view = view;
    }

    /** Of the map or one of its views; null for anything else. */
    public static SurefootSource source(Object target, int model, int view) {
        if (target instanceof ConcurrentHashMap.CollectionView) {
            return new SurefootConcurrentHashMap(((ConcurrentHashMap.CollectionView<?, ?, ?>) target).map, model, view);
        }
        return target instanceof ConcurrentHashMap
                ? new SurefootConcurrentHashMap((ConcurrentHashMap<?, ?>) target, model, view)
                : null;
    }

    /**
     * A bulk operation is about to take its next step. If it is the first, of one that goes through the whole table by itself, it finds
     * copies of all that is there now, chained in the order that was chosen. Parts that run in parallel are left as they are.
     */
    public static void bulk(Object operation, int model) {
        if (SurefootChoices.test == 0) {
            return;
        }
        ConcurrentHashMap.BulkTask<?, ?, ?> task = (ConcurrentHashMap.BulkTask<?, ?, ?>) operation;
        boolean begins = task.next == null && task.stack == null && task.index == 0 && task.baseIndex == 0;
        if (begins && task.tab != null && task.baseLimit == task.tab.length) {
            arrange(task, model);
        }
    }

    private static <K, V> void arrange(ConcurrentHashMap.BulkTask<K, V, ?> task, int model) {
        Object[] nodes = new SurefootConcurrentHashMap(null, task.tab, model, ENTRIES).chosen();
        if (nodes == null) {
            return;
        }
        ConcurrentHashMap.Node<K, V> chain = null;
        for (int i = nodes.length - 1; i >= 0; i--) {
            @SuppressWarnings("unchecked")
            ConcurrentHashMap.Node<K, V> node = (ConcurrentHashMap.Node<K, V>) nodes[i];
            chain = new ConcurrentHashMap.Node<K, V>(node.hash, node.key, node.val, chain);
        }
        // It goes on behind the node that it was at last, and then behind the end of the table.
        task.next = new ConcurrentHashMap.Node<K, V>(0, null, null, chain);
        task.baseIndex = task.baseLimit;
    }

    /** All that is there now, each once: the JDK's own traversal sees to that while others resize the table. */
    @Override
    protected Object[] usual() {
        ConcurrentHashMap.Node<?, ?>[] nodes = new ConcurrentHashMap.Node<?, ?>[map == null ? 16 : Math.max(4, map.size())];
        int count = 0;
        content = 0;
        int length = table == null ? 0 : table.length;
        ConcurrentHashMap.Traverser<?, ?> traverser = new ConcurrentHashMap.Traverser<>(table, length, 0, length);
        for (ConcurrentHashMap.Node<?, ?> node = traverser.advance(); node != null; node = traverser.advance()) {
            if (count == nodes.length) {
                nodes = copied(nodes, 2 * count);
            }
            nodes[count++] = node;
            content += SurefootChoices.spread(node.hash);
        }
        // It does not count its modifications; other keys are another state.
        state = content + count;
        return count == nodes.length ? nodes : copied(nodes, count);
    }

    private static ConcurrentHashMap.Node<?, ?>[] copied(ConcurrentHashMap.Node<?, ?>[] nodes, int length) {
        ConcurrentHashMap.Node<?, ?>[] copy = new ConcurrentHashMap.Node<?, ?>[length];
        System.arraycopy(nodes, 0, copy, 0, Math.min(length, nodes.length));
        return copy;
    }

    @Override
    @SuppressWarnings("unchecked")
    public Object shown(Object element) {
        if (view == KEYS) {
            return key(element);
        }
        Object value = value(element);
        return view == VALUES
                ? value
                : new ConcurrentHashMap.MapEntry<Object, Object>(key(element), value, (ConcurrentHashMap<Object, Object>) map);
    }

    @Override
    public Object key(Object element) {
        return ((ConcurrentHashMap.Node<?, ?>) element).key;
    }

    @Override
    public Object value(Object element) {
        return ((ConcurrentHashMap.Node<?, ?>) element).val;
    }

    @Override
    @SuppressWarnings("unchecked")
    public void replace(Object element, BiFunction<Object, Object, Object> function) {
        ConcurrentHashMap<Object, Object> replaced = (ConcurrentHashMap<Object, Object>) map;
        Object key = key(element);
        for (Object value = value(element); value != null; value = replaced.get(key)) {
            Object next = function.apply(key, value);
            if (next == null) {
                throw new NullPointerException();
            }
            if (replaced.replaceNode(key, next, value) != null) {
                return;
            }
        }
    }

    /** It never fails fast. */
    @Override
    public void check() {}

    @Override
    public void remove(Object element, int at) {
        map.replaceNode(key(element), null, null);
    }
}
