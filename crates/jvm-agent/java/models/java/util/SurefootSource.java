package java.util;

import java.util.function.BiFunction;

/** What a traversal shows: the elements of a collection or a map, and what becomes of it meanwhile. */
public abstract class SurefootSource {
    public static final int KEYS = 0;
    public static final int VALUES = 1;

    private final Object target;
    private final int model;
    /** Another number whenever the target has changed; set by {@link #usual}. */
    protected long state;
    /** The same number for targets that are equal; set by {@link #usual}. */
    protected long content;
    private int[] order;

    protected SurefootSource(Object target, int model) {
        this.target = target;
        this.model = model;
    }

    /** The elements in the order of the JDK; null if that order is to stay. */
    protected abstract Object[] usual();

    /** Those elements in an order that is the same in every VM; by themselves, where the order of the JDK is. */
    protected Object[] sorted(Object[] usual) {
        return usual;
    }

    /** What the traversal shows of an element. */
    public abstract Object shown(Object element);

    /** Fails fast, where the collection does. */
    public abstract void check();

    /** Removes the element that came at this place of {@link #chosen}. */
    public abstract void remove(Object element, int at);

    /** Of an element of a map. */
    public Object key(Object element) {
        throw new UnsupportedOperationException();
    }

    /** Of an element of a map. */
    public Object value(Object element) {
        throw new UnsupportedOperationException();
    }

    /** Of an element of a map: gives it the value that the function makes of what it has. */
    public void replace(Object element, BiFunction<Object, Object, Object> function) {
        throw new UnsupportedOperationException();
    }

    /** The elements in the order that was chosen; null for the order of the JDK. */
    public final Object[] chosen() {
        Object[] usual = usual();
        if (usual == null) {
            return null;
        }
        Object[] sorted = sorted(usual);
        return SurefootChoices.arranged(sorted, order(sorted, usual));
    }

    /** Puts an array into the order that was chosen. The JDK has filled it in its own. */
    public final void arrange(Object[] filled) {
        Object[] usual = usual();
        if (usual == null) {
            return;
        }
        Object[] sorted = sorted(usual);
        int[] chosen = order(sorted, usual);
        if (chosen != null && chosen.length <= filled.length) {
            Object[] elements = filled.clone();
            for (int i = 0; i < chosen.length; i++) {
                int place = chosen[i];
                if (sorted != usual) {
                    place = 0;
                    while (usual[place] != sorted[chosen[i]]) {
                        place++;
                    }
                }
                filled[i] = elements[place];
            }
        }
    }

    private int[] order(Object[] sorted, Object[] usual) {
        order = SurefootChoices.order(model, 0, target, state, content, sorted, usual);
        return order;
    }

    /**
     * Those elements by the hash codes of their keys, unless any has one that differs from VM to VM. Sets the content.
     */
    protected final Object[] sortedByHash(Object[] usual) {
        int[] hashes = new int[usual.length];
        content = 0;
        for (int i = 0; i < usual.length; i++) {
            Object key = usual[i] instanceof Map.Entry ? ((Map.Entry<?, ?>) usual[i]).getKey() : usual[i];
            if (!(key instanceof String || key instanceof Integer || key instanceof Long || key instanceof Character)) {
                content = usual.length;
                return usual;
            }
            hashes[i] = key.hashCode();
            content += SurefootChoices.spread(hashes[i]);
        }
        Object[] sorted = usual.clone();
        for (int i = 1; i < sorted.length; i++) {
            Object element = sorted[i];
            int hash = hashes[i];
            int to = i;
            for (; to > 0 && hashes[to - 1] > hash; to--) {
                hashes[to] = hashes[to - 1];
                sorted[to] = sorted[to - 1];
            }
            hashes[to] = hash;
            sorted[to] = element;
        }
        return sorted;
    }

    /** Which of the usual elements came at this place of {@link #chosen}, if these need not be sorted. */
    protected final int usualPlace(int at) {
        return order == null ? at : order[at];
    }
}
