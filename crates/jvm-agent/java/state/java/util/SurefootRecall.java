package java.util;

import jdk.internal.misc.Unsafe;

/**
 * Tells which objects do not hold any more what the agent has read from them.
 *
 * <p>Compiled code reads a field in a nanosecond; for a native agent it takes fifty times as long. No code of the program runs in
 * here, and nothing is allocated. The agent's memory.rs says how records and layouts are laid out.
 */
final class SurefootRecall {
    private static final Unsafe UNSAFE = Unsafe.getUnsafe();

    private static final int HEADER = 12;
    private static final int REFERENCES = -1;
    private static final int PRIMITIVES = -2;

    private SurefootRecall() {}

    /** Writes the positions of those that differ to {@code found}, and says how many there are. */
    static int differing(Object[] objects, long records, long end, long layouts, long found) {
        int count = 0;
        int length;
        for (long record = records; record < end; record += 4L * length) {
            length = UNSAFE.getInt(record);
            int position = UNSAFE.getInt(record + 4);
            if (position != 0 && !isAsRecorded(objects, objects[position], record, layouts)) {
                UNSAFE.putInt(found + 4L * count, position);
                count++;
            }
        }
        return count;
    }

    private static boolean isAsRecorded(Object[] objects, Object object, long record, long layouts) {
        int form = UNSAFE.getInt(record + 8);
        if (form == REFERENCES) {
            return hasElements(objects, (Object[]) object, record + HEADER);
        }
        if (form == PRIMITIVES) {
            int base = UNSAFE.getInt(layouts + 4L * UNSAFE.getInt(record + HEADER));
            return check(object, base, UNSAFE.getInt(record + HEADER + 4)) == longAt(record + HEADER + 8);
        }
        return hasFields(objects, object, layouts + 4L * form, record + HEADER);
    }

    private static boolean hasElements(Object[] objects, Object[] array, long expected) {
        for (int index = 0; index < array.length; index++) {
            if (array[index] != objects[UNSAFE.getInt(expected + 4L * index)]) {
                return false;
            }
        }
        return true;
    }

    private static boolean hasFields(Object[] objects, Object object, long layout, long expected) {
        int references = UNSAFE.getInt(layout);
        long at = layout + 4;
        long value = expected;
        for (int index = 0; index < references; index++, at += 4, value += 4) {
            if (UNSAFE.getReference(object, UNSAFE.getInt(at)) != objects[UNSAFE.getInt(value)]) {
                return false;
            }
        }
        int primitives = UNSAFE.getInt(at);
        at += 4;
        for (int index = 0; index < primitives; index++, at += 8, value += 8) {
            if (primitive(object, UNSAFE.getInt(at), UNSAFE.getInt(at + 4)) != longAt(value)) {
                return false;
            }
        }
        return true;
    }

    private static long primitive(Object object, long offset, int kind) {
        switch (kind) {
            case 0:
            case 1:
                return UNSAFE.getByte(object, offset);
            case 2:
                return UNSAFE.getChar(object, offset);
            case 3:
                return UNSAFE.getShort(object, offset);
            case 4:
                return UNSAFE.getInt(object, offset);
            case 5:
                return UNSAFE.getInt(object, offset) & 0xffffffffL;
            default:
                return UNSAFE.getLong(object, offset);
        }
    }

    /** Of the bytes of an array; memory.rs does the same. */
    private static long check(Object array, int base, int bytes) {
        long check = bytes;
        int at = 0;
        for (; at + 8 <= bytes; at += 8) {
            check = stirred(check, UNSAFE.getLongUnaligned(array, (long) base + at));
        }
        for (; at < bytes; at++) {
            check = stirred(check, UNSAFE.getByte(array, (long) base + at) & 0xff);
        }
        return check;
    }

    private static long stirred(long check, long word) {
        return (Long.rotateLeft(check, 29) ^ word) * 0x9e3779b97f4a7c15L;
    }

    private static long longAt(long address) {
        return UNSAFE.getInt(address) & 0xffffffffL | (long) UNSAFE.getInt(address + 4) << 32;
    }
}
