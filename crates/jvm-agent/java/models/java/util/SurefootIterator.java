package java.util;

/** Walks over elements in an order of its own. */
public final class SurefootIterator implements Iterator<Object>, Enumeration<Object> {
    private final SurefootSource source;
    private final Object[] elements;
    private int at;
    private boolean removable;

    public SurefootIterator(SurefootSource source, Object[] elements) {
        this.source = source;
        this.elements = elements;
    }

    @Override
    public boolean hasNext() {
        return at < elements.length;
    }

    @Override
    public Object next() {
        source.check();
        if (at >= elements.length) {
            throw new NoSuchElementException();
        }
        removable = true;
        return source.shown(elements[at++]);
    }

    @Override
    public void remove() {
        if (!removable) {
            throw new IllegalStateException();
        }
        source.check();
        removable = false;
        source.remove(elements[at - 1], at - 1);
    }

    @Override
    public boolean hasMoreElements() {
        return hasNext();
    }

    @Override
    public Object nextElement() {
        return next();
    }
}
