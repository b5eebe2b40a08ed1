package java.util;

import java.util.function.BiFunction;

/** IdentityHashMap: "makes no guarantees as to the order of the map; in particular, it does not guarantee that the order will remain constant over time". */
final class SurefootIdentityHashMap extends SurefootSource {
    private final IdentityHashMap<?, ?> map;
    private final int view;
    private int expectedModCount;

    SurefootIdentityHashMap(IdentityHashMap<?, ?> map, int model, int view) {
        super(map, model);
        this.map = map;
        this.view = view;
    }

    /** The keys, as the table holds them: removing one may move others in the table. */
    @Override
    protected Object[] usual() {
        Object[] table = map.table;
        int size = map.size;
        expectedModCount = map.modCount;
        if (size < 2 || table == null) {
            return null;
        }
        Object[] keys = new Object[size];
        int count = 0;
        for (int i = 0; i < table.length; i += 2) {
            if (table[i] != null) {
                if (count == size) {
                    return null; // Another thread is at it.
                }
                keys[count++] = table[i];
            }
        }
        state = expectedModCount;
        return count == size ? keys : null;
    }

    /** Identities differ from VM to VM. */
    @Override
    protected Object[] sorted(Object[] usual) {
        return sortedByHash(usual);
    }

    @Override
    public Object shown(Object element) {
        return view == KEYS ? key(element) : view == VALUES ? value(element) : new Entry(map, key(element));
    }

    @Override
    public Object key(Object element) {
        return IdentityHashMap.unmaskNull(element);
    }

    @Override
    public Object value(Object element) {
        return map.get(key(element));
    }

    @Override
    @SuppressWarnings("unchecked")
    public void replace(Object element, BiFunction<Object, Object, Object> function) {
        Object key = key(element);
        ((IdentityHashMap<Object, Object>) map).put(key, function.apply(key, map.get(key)));
    }

    @Override
    public void check() {
        if (map.modCount != expectedModCount) {
            throw new ConcurrentModificationException();
        }
    }

    @Override
    public void remove(Object element, int at) {
        map.remove(key(element));
        expectedModCount = map.modCount;
    }

    /** Reads and writes through, and compares by identity. */
    private static final class Entry implements Map.Entry<Object, Object> {
        private final IdentityHashMap<?, ?> map;
        private final Object key;

        Entry(IdentityHashMap<?, ?> map, Object key) {
            this.map = map;
            this.key = key;
        }

        private void check() {
            if (!map.containsKey(key)) {
                throw new IllegalStateException("Entry was removed");
            }
        }

        @Override
        public Object getKey() {
            check();
            return key;
        }

        @Override
        public Object getValue() {
            check();
            return map.get(key);
        }

        @Override
        @SuppressWarnings("unchecked")
        public Object setValue(Object value) {
            check();
            return ((IdentityHashMap<Object, Object>) map).put(key, value);
        }

        @Override
        public boolean equals(Object other) {
            if (!(other instanceof Map.Entry) || !map.containsKey(key)) {
                return this == other;
            }
            Map.Entry<?, ?> entry = (Map.Entry<?, ?>) other;
            return entry.getKey() == key && entry.getValue() == map.get(key);
        }

        @Override
        public int hashCode() {
            return System.identityHashCode(key) ^ System.identityHashCode(map.get(key));
        }

        @Override
        public String toString() {
            return key + "=" + map.get(key);
        }
    }
}
