package java.util;

import java.util.function.Consumer;

/**
 * PriorityQueue, and DelayQueue, which is made of one: "not guaranteed to traverse the elements of the priority queue in any
 * particular order".
 */
final class SurefootPriorityQueue extends SurefootSource {
    private final PriorityQueue<?> queue;
    private final int model;
    private int expectedModCount;

    private SurefootPriorityQueue(PriorityQueue<?> queue, int model) {
        this.queue = queue;
        this.model = model;
    }

    static Iterator<?> iterator(Iterator<?> plain, PriorityQueue<?> queue, int model) {
        if (SurefootChoices.test == 0) {
            return plain;
        }
        SurefootPriorityQueue source = new SurefootPriorityQueue(queue, model);
        Object[] elements = source.chosen();
        return elements == null ? plain : new SurefootIterator(source, elements);
    }

    static Spliterator<?> spliterator(Spliterator<?> plain, PriorityQueue<?> queue, int model) {
        if (SurefootChoices.test == 0) {
            return plain;
        }
        return new SurefootSpliterator(new SurefootPriorityQueue(queue, model), plain);
    }

    /** An array that the queue has filled in its own order. */
    static Object[] array(Object[] filled, PriorityQueue<?> queue, int model) {
        if (SurefootChoices.test == 0) {
            return filled;
        }
        Object[] elements = new SurefootPriorityQueue(queue, model).chosen();
        if (elements != null && elements.length <= filled.length) {
            System.arraycopy(elements, 0, filled, 0, elements.length);
        }
        return filled;
    }

    /** Whether it did what forEach would do. */
    @SuppressWarnings("unchecked")
    static boolean forEach(PriorityQueue<?> queue, Consumer<?> action, int model) {
        if (SurefootChoices.test == 0 || action == null) {
            return false;
        }
        SurefootPriorityQueue source = new SurefootPriorityQueue(queue, model);
        Object[] elements = source.chosen();
        if (elements == null) {
            return false;
        }
        for (Object element : elements) {
            ((Consumer<Object>) action).accept(element);
        }
        source.check();
        return true;
    }

    @Override
    public Object[] chosen() {
        Object[] heap = queue.queue;
        int size = queue.size;
        expectedModCount = queue.modCount;
        if (size < 2 || heap == null || size > heap.length) {
            return null;
        }
        Object[] elements = new Object[size];
        System.arraycopy(heap, 0, elements, 0, size);
        for (Object element : elements) {
            if (element == null) {
                return null; // Another thread is at it.
            }
        }
        return SurefootChoices.arranged(elements, SurefootChoices.order(model, queue, expectedModCount, size, elements));
    }

    @Override
    public Object shown(Object element) {
        return element;
    }

    @Override
    public void check() {
        if (queue.modCount != expectedModCount) {
            throw new ConcurrentModificationException();
        }
    }

    @Override
    public void remove(Object element) {
        queue.removeEq(element);
        expectedModCount = queue.modCount;
    }
}
