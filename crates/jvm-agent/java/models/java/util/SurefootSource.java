package java.util;

/** What a traversal shows: the elements of a collection, and what becomes of the collection meanwhile. */
public abstract class SurefootSource {
    /** The elements in the order that was chosen; null for the order of the JDK. */
    public abstract Object[] chosen();

    /** What the traversal shows of an element. */
    public abstract Object shown(Object element);

    /** Fails fast, where the collection does. */
    public abstract void check();

    public abstract void remove(Object element);
}
