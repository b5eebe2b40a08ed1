package java.util;

import java.util.function.Consumer;

/**
 * Splits elements in an order of its own.
 *
 * <p>It binds late, as the JDK's does: what there is, is looked at when the first element is asked for, or how many there
 * are. All parts share what was found then, so each element is in exactly one of them.
 */
public final class SurefootSpliterator implements Spliterator<Object> {
    private final SurefootSource source;
    /** What the JDK would have; it does the work if no other order is chosen. */
    private final Spliterator<Object> plain;
    private boolean bound;
    private boolean split;
    private Object[] elements;
    private int at;
    private int end;

    @SuppressWarnings("unchecked")
    public SurefootSpliterator(SurefootSource source, Spliterator<?> plain) {
        this.source = source;
        this.plain = (Spliterator<Object>) plain;
    }

    private SurefootSpliterator(SurefootSpliterator whole, int at, int end) {
        this(whole.source, whole.plain);
        this.bound = true;
        this.split = true;
        this.elements = whole.elements;
        this.at = at;
        this.end = end;
    }

    /** Whether there is an order of its own. */
    private boolean bind() {
        if (!bound) {
            bound = true;
            elements = source.chosen();
            end = elements == null ? 0 : elements.length;
        }
        return elements != null;
    }

    @Override
    public boolean tryAdvance(Consumer<? super Object> action) {
        if (action == null) {
            throw new NullPointerException();
        }
        if (!bind()) {
            return plain.tryAdvance(action);
        }
        if (at >= end) {
            return false;
        }
        action.accept(source.shown(elements[at++]));
        source.check();
        return true;
    }

    @Override
    public void forEachRemaining(Consumer<? super Object> action) {
        if (action == null) {
            throw new NullPointerException();
        }
        if (!bind()) {
            plain.forEachRemaining(action);
            return;
        }
        int from = at;
        at = end;
        for (int i = from; i < end; i++) {
            action.accept(source.shown(elements[i]));
        }
        if (from < end) {
            source.check();
        }
    }

    @Override
    public Spliterator<Object> trySplit() {
        if (!bind()) {
            return plain.trySplit();
        }
        int from = at;
        int middle = (from + end) >>> 1;
        if (from >= middle) {
            return null;
        }
        split = true;
        at = middle;
        return new SurefootSpliterator(this, from, middle);
    }

    @Override
    public long estimateSize() {
        return bind() ? end - at : plain.estimateSize();
    }

    /** A part does not say that it knows its size, as those of the JDK do not. */
    @Override
    public int characteristics() {
        int characteristics = plain.characteristics();
        return split ? characteristics & ~(SIZED | SUBSIZED) : characteristics;
    }
}
