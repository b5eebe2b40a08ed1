package java.util;

import java.lang.ref.WeakReference;

/** Which order an object showed last in this test. Objects are told apart by identity and not kept alive. */
final class SurefootMemory {
    private static final int FEWEST = 256;

    private static Entry[] table = new Entry[FEWEST];
    private static int count;

    private SurefootMemory() {}

    private static final class Entry extends WeakReference<Object> {
        final int hash;
        final int what;
        final Entry next;
        int test;
        long state;
        int[] order;

        Entry(Object target, int hash, int what, Entry next) {
            super(target);
            this.hash = hash;
            this.what = what;
            this.next = next;
        }
    }

    static synchronized int[] find(Object target, int what, long state, int test) {
        Entry entry = entry(target, System.identityHashCode(target), what);
        return entry != null && entry.test == test && entry.state == state ? entry.order : null;
    }

    static synchronized void put(Object target, int what, long state, int test, int[] order) {
        int hash = System.identityHashCode(target);
        Entry entry = entry(target, hash, what);
        if (entry == null) {
            if (count >= table.length) {
                rebuild(test);
            }
            int index = hash & (table.length - 1);
            entry = new Entry(target, hash, what, table[index]);
            table[index] = entry;
            count++;
        }
        entry.test = test;
        entry.state = state;
        entry.order = order;
    }

    private static Entry entry(Object target, int hash, int what) {
        for (Entry entry = table[hash & (table.length - 1)]; entry != null; entry = entry.next) {
            if (entry.hash == hash && entry.what == what && entry.get() == target) {
                return entry;
            }
        }
        return null;
    }

    /** Leaves out what earlier tests did, and what is gone. */
    private static void rebuild(int test) {
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
                Object target = entry.get();
                if (entry.test == test && target != null) {
                    int index = entry.hash & (length - 1);
                    Entry copy = new Entry(target, entry.hash, entry.what, rebuilt[index]);
                    copy.test = entry.test;
                    copy.state = entry.state;
                    copy.order = entry.order;
                    rebuilt[index] = copy;
                    count++;
                }
            }
        }
        table = rebuilt;
    }
}
