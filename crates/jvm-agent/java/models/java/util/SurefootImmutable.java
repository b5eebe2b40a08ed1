package java.util;

import java.util.function.Consumer;

/**
 * What Set.of, Map.of and their like return: "The iteration order of set elements is unspecified and is subject to change."
 *
 * <p>The JDK itself has another order in every VM. So that a seed means the same twice, elements whose hash code is the same in
 * every VM are sorted by it before they are put into the order that was chosen.
 */
final class SurefootImmutable extends SurefootSource {
    private final Iterator<?> plain;
    private Object[] drained;

    private SurefootImmutable(Object target, Iterator<?> plain, int model) {
        super(target, model);
        this.plain = plain;
    }

    /** Of a set, or of the entries of a map, whose size is told: what it shows cannot change. */
    static Iterator<?> iterator(Iterator<?> plain, Object target, int model) {
        if (SurefootChoices.test == 0) {
            return plain;
        }
        SurefootImmutable source = new SurefootImmutable(target, plain, model);
        Object[] chosen = source.chosen();
        return new SurefootIterator(source, chosen == null ? source.drained : chosen);
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

    @Override
    protected Object[] usual() {
        Object[] elements = new Object[4];
        int count = 0;
        while (plain.hasNext()) {
            if (count == elements.length) {
                elements = resized(elements, 2 * count);
            }
            elements[count++] = plain.next();
        }
        drained = resized(elements, count);
        return drained;
    }

    private static Object[] resized(Object[] elements, int length) {
        Object[] copy = new Object[length];
        System.arraycopy(elements, 0, copy, 0, Math.min(length, elements.length));
        return copy;
    }

    @Override
    protected Object[] sorted(Object[] usual) {
        return sortedByHash(usual);
    }

    @Override
    public Object shown(Object element) {
        return element;
    }

    @Override
    public void check() {}

    @Override
    public void remove(Object element, int at) {
        throw new UnsupportedOperationException();
    }
}
