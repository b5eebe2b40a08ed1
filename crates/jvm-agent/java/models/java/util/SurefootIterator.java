package java.util;

/** Walks over elements in an order of its own. */
public final class SurefootIterator implements Iterator<Object>, Enumeration<Object> {
    private final SurefootSource source;
    private final Object[] elements;
    private int at;
    private Object current;

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
        current = elements[at++];
        return source.shown(current);
    }

    @Override
    public void remove() {
        if (current == null) {
            throw new IllegalStateException();
        }
        source.check();
        Object element = current;
        current = null;
        source.remove(element);
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
