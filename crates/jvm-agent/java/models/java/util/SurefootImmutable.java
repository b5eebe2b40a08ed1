package java.util;

import java.util.function.Consumer;

/**
 * What Set.of, Map.of and their like return: "The iteration order of set elements is unspecified and is subject to change."
 *
 * <p>The JDK itself has another order in every VM. So that a seed means the same twice, elements whose hash code is the same in
 * every VM are sorted by it before they are put into the order that was chosen.
 */
final class SurefootImmutable extends SurefootSource {
    private final Object target;
    private final Iterator<?> plain;
    private final int model;

    private SurefootImmutable(Object target, Iterator<?> plain, int model) {
        this.target = target;
        this.plain = plain;
        this.model = model;
    }

    /** Of a set, or of the entries of a map, whose size is told: what it shows cannot change. */
    static Iterator<?> iterator(Iterator<?> plain, Object target, int model) {
        if (SurefootChoices.test == 0) {
            return plain;
        }
        SurefootImmutable source = new SurefootImmutable(target, plain, model);
        Object[] elements = source.drained();
        Object[] chosen = source.chosen(elements);
        return new SurefootIterator(source, chosen == null ? elements : chosen);
    }

    static Spliterator<?> spliterator(Spliterator<?> plain, Object set, int model) {
        // What a set without a spliterator of its own would have: it goes by way of the iterator.
        return SurefootChoices.test == 0 ? plain : Spliterators.spliterator((Set<?>) set, Spliterator.DISTINCT);
    }

    static Object[] array(Object[] filled, Object set, int model) {
        if (SurefootChoices.test == 0) {
            return filled;
        }
        int at = 0;
        for (Object element : (Set<?>) set) {
            filled[at++] = element;
        }
        return filled;
    }

    /** Whether it did what forEach would do. */
    @SuppressWarnings("unchecked")
    static boolean forEach(Object set, Consumer<?> action, int model) {
        if (SurefootChoices.test == 0 || action == null) {
            return false;
        }
        for (Object element : (Set<?>) set) {
            ((Consumer<Object>) action).accept(element);
        }
        return true;
    }

    private Object[] drained() {
        Object[] elements = new Object[4];
        int count = 0;
        while (plain.hasNext()) {
            if (count == elements.length) {
                elements = resized(elements, 2 * count);
            }
            elements[count++] = plain.next();
        }
        return resized(elements, count);
    }

    private static Object[] resized(Object[] elements, int length) {
        Object[] copy = new Object[length];
        System.arraycopy(elements, 0, copy, 0, Math.min(length, elements.length));
        return copy;
    }

    @Override
    public Object[] chosen() {
        return chosen(drained());
    }

    private Object[] chosen(Object[] elements) {
        Object[] sorted = elements.clone();
        long content = sort(sorted);
        return SurefootChoices.arranged(sorted, SurefootChoices.order(model, target, 0, content, sorted, elements));
    }

    /** A number for the content; the elements stay as they are unless all have a hash code that is the same in every VM. */
    private static long sort(Object[] elements) {
        int[] hashes = new int[elements.length];
        long content = 0;
        for (int i = 0; i < elements.length; i++) {
            Object key = elements[i] instanceof Map.Entry ? ((Map.Entry<?, ?>) elements[i]).getKey() : elements[i];
            if (!(key instanceof String || key instanceof Integer || key instanceof Long || key instanceof Character)) {
                return elements.length;
            }
            hashes[i] = key.hashCode();
            content += SurefootChoices.spread(hashes[i]);
        }
        for (int i = 1; i < elements.length; i++) {
            Object element = elements[i];
            int hash = hashes[i];
            int to = i;
            for (; to > 0 && hashes[to - 1] > hash; to--) {
                hashes[to] = hashes[to - 1];
                elements[to] = elements[to - 1];
            }
            hashes[to] = hash;
            elements[to] = element;
        }
        return content;
    }

    @Override
    public Object shown(Object element) {
        return element;
    }

    @Override
    public void check() {}

    @Override
    public void remove(Object element) {
        throw new UnsupportedOperationException();
    }
}
