package java.util.concurrent;

import java.util.Enumeration;
import java.util.Iterator;
import java.util.Map;
import java.util.Spliterator;
import java.util.SurefootChoices;
import java.util.SurefootIterator;
import java.util.SurefootSource;
import java.util.SurefootSpliterator;
import java.util.function.BiConsumer;
import java.util.function.BiFunction;
import java.util.function.Consumer;

/**
 * ConcurrentHashMap, its views and its key sets; Properties too, which keep their entries in one. No order is specified, and
 * traversals "are guaranteed to traverse elements as they existed upon construction exactly once".
 */
final class SurefootConcurrentHashMap extends SurefootSource {
    private static final int KEYS = 0;
    private static final int VALUES = 1;

    private final ConcurrentHashMap<?, ?> map;
    private final int model;
    private final int view;

    private SurefootConcurrentHashMap(ConcurrentHashMap<?, ?> map, int model, int view) {
        this.map = map;
        this.model = model;
        this.view = view;
    }

    static Iterator<?> iterator(Iterator<?> plain, Object of, int model, int view) {
        SurefootIterator iterator = SurefootChoices.test == 0 ? null : iterator(mapOf(of), model, view);
        return iterator == null ? plain : iterator;
    }

    @SuppressWarnings("unchecked")
    static Enumeration<?> enumeration(Enumeration<?> plain, ConcurrentHashMap<?, ?> map, int model, int view) {
        SurefootIterator iterator = SurefootChoices.test == 0 ? null : iterator(map, model, view);
        return iterator == null ? plain : iterator;
    }

    /** The map of a view. */
    private static ConcurrentHashMap<?, ?> mapOf(Object view) {
        return ((ConcurrentHashMap.CollectionView<?, ?, ?>) view).map;
    }

    private static SurefootIterator iterator(ConcurrentHashMap<?, ?> map, int model, int view) {
        SurefootConcurrentHashMap source = new SurefootConcurrentHashMap(map, model, view);
        Object[] elements = source.chosen();
        return elements == null ? null : new SurefootIterator(source, elements);
    }

    static Spliterator<?> spliterator(Spliterator<?> plain, Object of, int model, int view) {
        if (SurefootChoices.test == 0) {
            return plain;
        }
        return new SurefootSpliterator(new SurefootConcurrentHashMap(mapOf(of), model, view), plain);
    }

    /** Whether it did what forEach of a view would do. */
    @SuppressWarnings("unchecked")
    static boolean forEach(Object of, Consumer<?> action, int model, int view) {
        if (SurefootChoices.test == 0 || action == null) {
            return false;
        }
        SurefootConcurrentHashMap source = new SurefootConcurrentHashMap(mapOf(of), model, view);
        Object[] elements = source.chosen();
        if (elements == null) {
            return false;
        }
        for (Object element : elements) {
            ((Consumer<Object>) action).accept(source.shown(element));
        }
        return true;
    }

    /** Whether it did what forEach of the map would do. */
    @SuppressWarnings("unchecked")
    static boolean forEach(ConcurrentHashMap<?, ?> map, BiConsumer<?, ?> action, int model) {
        Object[] elements = action == null ? null : chosen(map, model);
        if (elements == null) {
            return false;
        }
        for (Object element : elements) {
            ConcurrentHashMap.Node<?, ?> node = (ConcurrentHashMap.Node<?, ?>) element;
            ((BiConsumer<Object, Object>) action).accept(node.key, node.val);
        }
        return true;
    }

    /** Whether it did what replaceAll of the map would do. */
    @SuppressWarnings("unchecked")
    static boolean replaceAll(ConcurrentHashMap<?, ?> map, BiFunction<?, ?, ?> function, int model) {
        Object[] elements = function == null ? null : chosen(map, model);
        if (elements == null) {
            return false;
        }
        ConcurrentHashMap<Object, Object> replaced = (ConcurrentHashMap<Object, Object>) map;
        for (Object element : elements) {
            ConcurrentHashMap.Node<?, ?> node = (ConcurrentHashMap.Node<?, ?>) element;
            Object key = node.key;
            for (Object value = node.val; value != null; value = replaced.get(key)) {
                Object next = ((BiFunction<Object, Object, Object>) function).apply(key, value);
                if (next == null) {
                    throw new NullPointerException();
                }
                if (replaced.replaceNode(key, next, value) != null) {
                    break;
                }
            }
        }
        return true;
    }

    /** Whether its text is to be {@link #text}. */
    static boolean isArranged(ConcurrentHashMap<?, ?> map, int model) {
        return chosen(map, model) != null;
    }

    /** "a list of key-value mappings (in no particular order) enclosed in braces" */
    static String text(ConcurrentHashMap<?, ?> map, int model) {
        StringBuilder text = new StringBuilder("{");
        for (Map.Entry<?, ?> entry : map.entrySet()) {
            if (text.length() > 1) {
                text.append(", ");
            }
            Object key = entry.getKey();
            Object value = entry.getValue();
            text.append(key == map ? "(this Map)" : key).append('=').append(value == map ? "(this Map)" : value);
        }
        return text.append('}').toString();
    }

    private static Object[] chosen(ConcurrentHashMap<?, ?> map, int model) {
        return SurefootChoices.test == 0 ? null : new SurefootConcurrentHashMap(map, model, KEYS).chosen();
    }

    /** All that is there now, each once: the JDK's own traversal sees to that while others resize the table. */
    @Override
    public Object[] chosen() {
        ConcurrentHashMap.Node<?, ?>[] nodes = new ConcurrentHashMap.Node<?, ?>[Math.max(4, map.size())];
        int count = 0;
        long content = 0;
        ConcurrentHashMap.Traverser<?, ?> traverser = traverser(map);
        for (ConcurrentHashMap.Node<?, ?> node = traverser.advance(); node != null; node = traverser.advance()) {
            if (count == nodes.length) {
                nodes = copied(nodes, 2 * count);
            }
            nodes[count++] = node;
            content += SurefootChoices.spread(node.hash);
        }
        nodes = count == nodes.length ? nodes : copied(nodes, count);
        // It does not count its modifications; other keys are another state.
        int[] order = SurefootChoices.order(model, map, content + count, content, nodes);
        return SurefootChoices.arranged(nodes, order);
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
        ConcurrentHashMap.Node<Object, Object> node = (ConcurrentHashMap.Node<Object, Object>) element;
        if (view == KEYS) {
            return node.key;
        }
        Object value = node.val;
        return view == VALUES
                ? value
                : new ConcurrentHashMap.MapEntry<Object, Object>(node.key, value, (ConcurrentHashMap<Object, Object>) map);
    }

    /** It never fails fast. */
    @Override
    public void check() {}

    @Override
    public void remove(Object element) {
        map.replaceNode(((ConcurrentHashMap.Node<?, ?>) element).key, null, null);
    }
}
