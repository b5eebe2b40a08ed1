package java.util;

import java.util.function.BiConsumer;
import java.util.function.BiFunction;
import java.util.function.Consumer;

/** HashMap and HashSet: "makes no guarantees as to the order of the map; in particular, it does not guarantee that the order will remain constant over time". */
final class SurefootHashMap extends SurefootSource {
    private static final int KEYS = 0;
    private static final int VALUES = 1;

    private final HashMap<?, ?> map;
    private final int model;
    private final int view;
    private int expectedModCount;

    private SurefootHashMap(HashMap<?, ?> map, int model, int view) {
        this.map = map;
        this.model = model;
        this.view = view;
    }

    static Iterator<?> iterator(Iterator<?> plain, HashMap<?, ?> map, int model, int view) {
        if (SurefootChoices.test == 0) {
            return plain;
        }
        SurefootHashMap source = new SurefootHashMap(map, model, view);
        Object[] elements = source.chosen();
        return elements == null ? plain : new SurefootIterator(source, elements);
    }

    static Spliterator<?> spliterator(Spliterator<?> plain, HashMap<?, ?> map, int model, int view) {
        if (SurefootChoices.test == 0 || map instanceof LinkedHashMap) {
            return plain;
        }
        return new SurefootSpliterator(new SurefootHashMap(map, model, view), plain);
    }

    /** An array that the map has filled in its own order. */
    static Object[] array(Object[] filled, HashMap<?, ?> map, int model, int view) {
        if (SurefootChoices.test == 0) {
            return filled;
        }
        SurefootHashMap source = new SurefootHashMap(map, model, view);
        Object[] elements = source.chosen();
        if (elements != null && elements.length <= filled.length) {
            for (int i = 0; i < elements.length; i++) {
                filled[i] = source.shown(elements[i]);
            }
        }
        return filled;
    }

    /** Whether it did what forEach of a view would do. */
    @SuppressWarnings("unchecked")
    static boolean forEach(HashMap<?, ?> map, Consumer<?> action, int model, int view) {
        if (SurefootChoices.test == 0 || action == null) {
            return false;
        }
        SurefootHashMap source = new SurefootHashMap(map, model, view);
        Object[] elements = source.chosen();
        if (elements == null) {
            return false;
        }
        for (Object element : elements) {
            ((Consumer<Object>) action).accept(source.shown(element));
        }
        source.check();
        return true;
    }

    /** Whether it did what forEach of the map would do. */
    @SuppressWarnings("unchecked")
    static boolean forEach(HashMap<?, ?> map, BiConsumer<?, ?> action, int model) {
        if (SurefootChoices.test == 0 || action == null) {
            return false;
        }
        SurefootHashMap source = new SurefootHashMap(map, model, KEYS);
        Object[] elements = source.chosen();
        if (elements == null) {
            return false;
        }
        for (Object element : elements) {
            HashMap.Node<?, ?> node = (HashMap.Node<?, ?>) element;
            ((BiConsumer<Object, Object>) action).accept(node.key, node.value);
        }
        source.check();
        return true;
    }

    /** Whether it did what replaceAll of the map would do. */
    @SuppressWarnings("unchecked")
    static boolean replaceAll(HashMap<?, ?> map, BiFunction<?, ?, ?> function, int model) {
        if (SurefootChoices.test == 0 || function == null) {
            return false;
        }
        SurefootHashMap source = new SurefootHashMap(map, model, KEYS);
        Object[] elements = source.chosen();
        if (elements == null) {
            return false;
        }
        for (Object element : elements) {
            HashMap.Node<Object, Object> node = (HashMap.Node<Object, Object>) element;
            node.value = ((BiFunction<Object, Object, Object>) function).apply(node.key, node.value);
        }
        source.check();
        return true;
    }

    /** A LinkedHashMap has views of its own, which no model touches; its order is specified. */
    @Override
    public Object[] chosen() {
        HashMap.Node<?, ?>[] table = map.table;
        int size = map.size;
        expectedModCount = map.modCount;
        if (size < 2 || table == null || map instanceof LinkedHashMap) {
            return null;
        }
        HashMap.Node<?, ?>[] nodes = new HashMap.Node<?, ?>[size];
        int count = 0;
        long content = 0;
        for (HashMap.Node<?, ?> first : table) {
            for (HashMap.Node<?, ?> node = first; node != null; node = node.next) {
                if (count == size) {
                    return null; // Another thread is at it: let it be, as broken as it would be.
                }
                nodes[count++] = node;
                content += SurefootChoices.spread(node.hash);
            }
        }
        if (count != size) {
            return null;
        }
        return SurefootChoices.arranged(nodes, SurefootChoices.order(model, map, expectedModCount, content, nodes));
    }

    @Override
    public Object shown(Object element) {
        HashMap.Node<?, ?> node = (HashMap.Node<?, ?>) element;
        return view == KEYS ? node.key : view == VALUES ? node.value : node;
    }

    @Override
    public void check() {
        if (map.modCount != expectedModCount) {
            throw new ConcurrentModificationException();
        }
    }

    @Override
    public void remove(Object element) {
        HashMap.Node<?, ?> node = (HashMap.Node<?, ?>) element;
        map.removeNode(node.hash, node.key, null, false, false);
        expectedModCount = map.modCount;
    }
}
