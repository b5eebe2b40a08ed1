package java.util;

import java.util.function.BiFunction;
import jdk.internal.misc.Unsafe;

/**
 * A view of a map that counts its modifications, walked by the JDK's own iterators: Hashtable ("The order of a map is defined as the
 * order in which the iterators on the map's collection views return their elements. Some map implementations, like the TreeMap
 * class, make specific guarantees as to their order; others […] do not.") and WeakHashMap.
 */
final class SurefootWalk extends SurefootSource {
    private static final Unsafe UNSAFE = Unsafe.getUnsafe();
    /** It is private; that it is there was looked at before anything was woven. */
    private static final long COUNT_OF_HASHTABLE = UNSAFE.objectFieldOffset(Hashtable.class, "modCount");

    /** Threads that want what the JDK has. */
    private static Thread[] asking = new Thread[8];
    private static volatile int askingCount;

    private final Map<?, ?> map;
    private final Collection<?> view;
    private int expectedModCount;
    private boolean failsFast = true;
    /** Keys that must not be collected while entries of a WeakHashMap are walked. */
    private Object[] held;
    /** Which of the usual elements were removed. */
    private boolean[] removed;

    private SurefootWalk(Map<?, ?> map, Collection<?> view, int model) {
        super(map, model);
        this.map = map;
        this.view = view;
    }

    /** All of a map; null if its class may have changed what its views are. */
    static SurefootSource ofEntries(Map<?, ?> map, int model) {
        Class<?> type = map.getClass();
        if (type != Hashtable.class && type != WeakHashMap.class) {
            return null;
        }
        return new SurefootWalk(map, map.entrySet(), model);
    }

    static Iterator<?> iterator(Iterator<?> plain, Object view, Object map, int model) {
        if (SurefootChoices.test == 0 || isAsking()) {
            return plain;
        }
        SurefootWalk walk = new SurefootWalk((Map<?, ?>) map, (Collection<?>) view, model);
        Object[] elements = walk.chosen();
        return elements == null ? plain : new SurefootIterator(walk, elements);
    }

    static Spliterator<?> spliterator(Spliterator<?> plain, Object view, Object map, int model) {
        if (SurefootChoices.test == 0) {
            return plain;
        }
        return new SurefootSpliterator(new SurefootWalk((Map<?, ?>) map, (Collection<?>) view, model), plain);
    }

    /** Of a Hashtable: "not fail-fast". */
    static Enumeration<?> enumeration(Enumeration<?> plain, Object map, int model) {
        if (SurefootChoices.test == 0) {
            return plain;
        }
        List<Object> elements = new ArrayList<>();
        while (plain.hasMoreElements()) {
            elements.add(plain.nextElement());
        }
        SurefootWalk walk = new SurefootWalk((Map<?, ?>) map, elements, model);
        walk.failsFast = false;
        Object[] chosen = walk.chosen();
        return new SurefootIterator(walk, chosen == null ? elements.toArray() : chosen);
    }

    @Override
    protected Object[] usual() {
        expectedModCount = modCount();
        List<Object> elements = new ArrayList<>();
        List<Object> keys = new ArrayList<>();
        for (Iterator<?> plain = plainly(view); plain.hasNext(); ) {
            Object element = plain.next();
            elements.add(element);
            // While it is the iterator's last one, its key is there.
            keys.add(element instanceof Map.Entry && map instanceof WeakHashMap ? ((Map.Entry<?, ?>) element).getKey() : null);
        }
        held = keys.toArray();
        removed = new boolean[elements.size()];
        // A WeakHashMap does not count what the collector took.
        state = ((long) expectedModCount << 32) + elements.size();
        content = elements.size();
        return elements.size() < 2 ? null : elements.toArray();
    }

    private int modCount() {
        return map instanceof WeakHashMap ? ((WeakHashMap<?, ?>) map).modCount : UNSAFE.getInt(map, COUNT_OF_HASHTABLE);
    }

    @Override
    public Object shown(Object element) {
        return element;
    }

    @Override
    public Object key(Object element) {
        return ((Map.Entry<?, ?>) element).getKey();
    }

    @Override
    public Object value(Object element) {
        return ((Map.Entry<?, ?>) element).getValue();
    }

    @Override
    @SuppressWarnings("unchecked")
    public void replace(Object element, BiFunction<Object, Object, Object> function) {
        Map.Entry<Object, Object> entry = (Map.Entry<Object, Object>) element;
        entry.setValue(function.apply(entry.getKey(), entry.getValue()));
    }

    @Override
    public void check() {
        if (failsFast && modCount() != expectedModCount) {
            throw new ConcurrentModificationException();
        }
    }

    /** By an iterator of the JDK's that is led to the same element. */
    @Override
    public void remove(Object element, int at) {
        if (!failsFast) {
            throw new UnsupportedOperationException();
        }
        int place = usualPlace(at);
        int before = place;
        for (int i = 0; i < place; i++) {
            before -= removed[i] ? 1 : 0;
        }
        Iterator<?> plain = led(element, before);
        if (plain == null) {
            plain = led(element, -1); // The collector took some before it.
        }
        if (plain != null) {
            plain.remove();
        }
        removed[place] = true;
        expectedModCount = modCount();
    }

    /** To the element at this place, or wherever it is; null if it is not there. */
    private Iterator<?> led(Object element, int place) {
        Iterator<?> plain = plainly(view);
        for (int i = 0; plain.hasNext(); i++) {
            if (plain.next() == element && (place < 0 || i == place)) {
                return plain;
            }
        }
        return null;
    }

    /** What the JDK has: no other order is chosen for this iterator. */
    private static Iterator<?> plainly(Collection<?> view) {
        enter(Thread.currentThread());
        try {
            return view.iterator();
        } finally {
            leave(Thread.currentThread());
        }
    }

    private static synchronized void enter(Thread thread) {
        if (askingCount == asking.length) {
            Thread[] more = new Thread[2 * askingCount];
            System.arraycopy(asking, 0, more, 0, askingCount);
            asking = more;
        }
        asking[askingCount++] = thread;
    }

    private static synchronized void leave(Thread thread) {
        for (int i = askingCount - 1; i >= 0; i--) {
            if (asking[i] == thread) {
                asking[i] = asking[--askingCount];
                asking[askingCount] = null;
                return;
            }
        }
    }

    private static boolean isAsking() {
        return askingCount > 0 && isAmong(Thread.currentThread());
    }

    private static synchronized boolean isAmong(Thread thread) {
        for (int i = 0; i < askingCount; i++) {
            if (asking[i] == thread) {
                return true;
            }
        }
        return false;
    }
}
