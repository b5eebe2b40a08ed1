package java.util;

/**
 * PriorityQueue, and DelayQueue, which is made of one: "not guaranteed to traverse the elements of the priority queue in any
 * particular order".
 */
final class SurefootPriorityQueue extends SurefootSource {
    private final PriorityQueue<?> queue;
    private int expectedModCount;

    SurefootPriorityQueue(PriorityQueue<?> queue, int model) {
        super(queue, model);
        this.queue = queue;
    }

    @Override
    protected Object[] usual() {
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
        state = expectedModCount;
        content = size;
        return elements;
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
    public void remove(Object element, int at) {
        queue.removeEq(element);
        expectedModCount = queue.modCount;
    }
}
