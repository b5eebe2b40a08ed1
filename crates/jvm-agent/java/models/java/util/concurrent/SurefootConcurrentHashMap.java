package java.util.concurrent;

import java.util.SurefootChoices;
import java.util.SurefootSource;
import java.util.function.BiFunction;

/**
 * ConcurrentHashMap, its views and its key sets; Properties too, which keep their entries in one. No order is specified, and
 * traversals "are guaranteed to traverse elements as they existed upon construction exactly once".
 */
public final class SurefootConcurrentHashMap extends SurefootSource {
    private final ConcurrentHashMap<?, ?> map;
    private final int view;

    private SurefootConcurrentHashMap(ConcurrentHashMap<?, ?> map, int model, int view) {
        super(map, model);
        this.map = map;
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

    /** All that is there now, each once: the JDK's own traversal sees to that while others resize the table. */
    @Override
    protected Object[] usual() {
        ConcurrentHashMap.Node<?, ?>[] nodes = new ConcurrentHashMap.Node<?, ?>[Math.max(4, map.size())];
        int count = 0;
        content = 0;
        ConcurrentHashMap.Traverser<?, ?> traverser = traverser(map);
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

    private static <K, V> ConcurrentHashMap.Traverser<K, V> traverser(ConcurrentHashMap<K, V> map) {
        ConcurrentHashMap.Node<K, V>[] table = map.table;
        int length = table == null ? 0 : table.length;
        return new ConcurrentHashMap.Traverser<K, V>(table, length, 0, length);
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
