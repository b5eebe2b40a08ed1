package java.util;

import java.lang.ref.WeakReference;

/**
 * Which order an object showed last in this test. Objects are told apart by identity and not kept alive.
 *
 * <p>Threads look without a lock, since an entry never changes: what an object shows now comes as another entry. Who misses one
 * that another thread is about to add learns of it when it adds its own.
 */
final class SurefootMemory {
    private static final int FEWEST = 256;

    private static volatile Entry[] table = new Entry[FEWEST];
    private static int count;

    private SurefootMemory() {}

    private static final class Entry extends WeakReference<Object> {
        final int hash;
        final int what;
        final int test;
        final long state;
        final int[] order;
        final Entry next;

        Entry(Object target, int hash, int what, int test, long state, int[] order, Entry next) {
            super(target);
            this.hash = hash;
            this.what = what;
            this.test = test;
            this.state = state;
            this.order = order;
            this.next = next;
        }

        boolean isOf(Object target, int hash, int what) {
            return this.hash == hash && this.what == what && get() == target;
        }
    }

    static int[] find(Object target, int what, long state, int test) {
        return order(entry(table, target, System.identityHashCode(target), what), state, test);
    }

    /** This order from now on, unless another thread was quicker; returns what counts. */
    static synchronized int[] keep(Object target, int what, long state, int test, int[] order) {
        int hash = System.identityHashCode(target);
        Entry old = entry(table, target, hash, what);
        int[] known = order(old, state, test);
        if (known != null) {
            return known;
        }
        if (count >= table.length) {
            table = rebuilt(test);
        }
        Entry[] entries = table;
        int index = hash & (entries.length - 1);
        Entry first = entries[index];
        if (old != null && entry(entries, target, hash, what) != null) {
            first = without(first, target, hash, what);
            count--;
        }
        entries[index] = new Entry(target, hash, what, test, state, order, first);
        count++;
        return order;
    }

    private static int[] order(Entry entry, long state, int test) {
        return entry != null && entry.test == test && entry.state == state ? entry.order : null;
    }

    private static Entry entry(Entry[] entries, Object target, int hash, int what) {
        for (Entry entry = entries[hash & (entries.length - 1)]; entry != null; entry = entry.next) {
            if (entry.isOf(target, hash, what)) {
                return entry;
            }
        }
        return null;
    }

    private static Entry without(Entry first, Object target, int hash, int what) {
        Entry rest = null;
        for (Entry entry = first; entry != null; entry = entry.next) {
            if (!entry.isOf(target, hash, what)) {
                rest = before(entry, rest);
            }
        }
        return rest;
    }

    /** A copy of an entry that comes before another one; that one if its object is gone. */
    private static Entry before(Entry entry, Entry next) {
        Object target = entry.get();
        return target == null ? next : new Entry(target, entry.hash, entry.what, entry.test, entry.state, entry.order, next);
    }

    /** Leaves out what earlier tests did, and what is gone. */
    private static Entry[] rebuilt(int test) {
        Entry[] old = table;
        int alive = 0;
        for (Entry first : old) {
            for (Entry entry = first; entry != null; entry = entry.next) {
                if (entry.test == test && entry.get() != null) {
                    alive++;
                }
            }
        }
        int length = FEWEST;
        while (length < 2 * alive) {
            length *= 2;
        }
        Entry[] rebuilt = new Entry[length];
        count = 0;
        for (Entry first : old) {
            for (Entry entry = first; entry != null; entry = entry.next) {
                if (entry.test == test && entry.get() != null) {
                    int index = entry.hash & (length - 1);
                    rebuilt[index] = before(entry, rebuilt[index]);
                    count++;
                }
            }
        }
        return rebuilt;
    }
}
