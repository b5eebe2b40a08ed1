package java.util;

import java.util.function.BiFunction;

/** HashMap and HashSet: "makes no guarantees as to the order of the map; in particular, it does not guarantee that the order will remain constant over time". */
final class SurefootHashMap extends SurefootSource {
    private final HashMap<?, ?> map;
    private final int view;
    private int expectedModCount;

    SurefootHashMap(HashMap<?, ?> map, int model, int view) {
        super(map, model);
        this.map = map;
        this.view = view;
    }

    @Override
    protected Object[] usual() {
        HashMap.Node<?, ?>[] table = map.table;
        int size = map.size;
        expectedModCount = map.modCount;
        if (size < 2 || table == null) {
            return null;
        }
        HashMap.Node<?, ?>[] nodes = new HashMap.Node<?, ?>[size];
        int count = 0;
        content = 0;
        for (HashMap.Node<?, ?> first : table) {
            for (HashMap.Node<?, ?> node = first; node != null; node = node.next) {
                if (count == size) {
                    return null; // Another thread is at it: let it be, as broken as it would be.
                }
                nodes[count++] = node;
                content += SurefootChoices.spread(node.hash);
            }
        }
        state = expectedModCount;
        return count == size ? nodes : null;
    }

    @Override
    public Object shown(Object element) {
        return view == KEYS ? key(element) : view == VALUES ? value(element) : element;
    }

    @Override
    public Object key(Object element) {
        return ((HashMap.Node<?, ?>) element).key;
    }

    @Override
    public Object value(Object element) {
        return ((HashMap.Node<?, ?>) element).value;
    }

    @Override
    @SuppressWarnings("unchecked")
    public void replace(Object element, BiFunction<Object, Object, Object> function) {
        HashMap.Node<Object, Object> node = (HashMap.Node<Object, Object>) element;
        node.value = function.apply(node.key, node.value);
    }

    @Override
    public void check() {
        if (map.modCount != expectedModCount) {
            throw new ConcurrentModificationException();
        }
    }

    @Override
    public void remove(Object element, int at) {
        HashMap.Node<?, ?> node = (HashMap.Node<?, ?>) element;
        map.removeNode(node.hash, node.key, null, false, false);
        expectedModCount = map.modCount;
    }
}
