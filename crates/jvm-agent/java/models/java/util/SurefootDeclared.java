package java.util;

/** Methods that promise less than they keep: those that a user has declared so, and time zone names, of which there may be more. */
public final class SurefootDeclared {
    /** By how many elements an array may be longer than usual. */
    private static final int MOST_LONGER = 2;
    /** How many other numbers there are for a number. */
    private static final int OTHER_NUMBERS = 7;
    /** Fewer rows are not the JDK's own: a program has set them. */
    private static final int FEWEST_ZONES = 100;

    private SurefootDeclared() {}

    /** A copy in another order. */
    public static Object[] array(Object[] returned, Object target, int model) {
        int[] order = returned == null ? null : order(returned, target, model);
        return order == null ? returned : SurefootChoices.arranged(returned, order);
    }

    /** A copy in another order, if it is a list, or a set or map that is not sorted. */
    public static Object collection(Object returned, Object target, int model) {
        if (SurefootChoices.test == 0) {
            return returned;
        }
        if (returned instanceof Map && !(returned instanceof SortedMap)) {
            return map((Map<?, ?>) returned, target, model);
        }
        if (!(returned instanceof List) && !(returned instanceof Set) || returned instanceof SortedSet) {
            return returned;
        }
        Object[] elements = ((Collection<?>) returned).toArray();
        Object[] arranged = SurefootChoices.arranged(elements, order(elements, target, model));
        if (arranged == null) {
            return returned;
        }
        Collection<Object> copy = returned instanceof Set ? new LinkedHashSet<>() : new ArrayList<>();
        for (Object element : arranged) {
            copy.add(element);
        }
        if (!isUnmodifiable(returned)) {
            return copy;
        }
        return returned instanceof Set
                ? Collections.unmodifiableSet((Set<Object>) copy)
                : Collections.unmodifiableList((List<Object>) copy);
    }

    private static Object map(Map<?, ?> returned, Object target, int model) {
        Object[] entries = returned.entrySet().toArray();
        Object[] arranged = SurefootChoices.arranged(entries, order(entries, target, model));
        if (arranged == null) {
            return returned;
        }
        Map<Object, Object> copy = new LinkedHashMap<>();
        for (Object entry : arranged) {
            copy.put(((Map.Entry<?, ?>) entry).getKey(), ((Map.Entry<?, ?>) entry).getValue());
        }
        return isUnmodifiable(returned) ? Collections.unmodifiableMap(copy) : copy;
    }

    /** A copy that may be longer; what is more repeats the last element. */
    public static Object[] extended(Object[] returned, Object target, int model) {
        int length = returned == null ? 0 : returned.length;
        int longer = length == 0 ? 0 : longer(length, target, model);
        return longer == 0 ? returned : lengthened(returned, length + longer);
    }

    /** "of size n by m, where m is at least 5" */
    public static String[][] zones(String[][] rows, Object target, int model) {
        if (rows == null || rows.length < FEWEST_ZONES) {
            return rows;
        }
        int longer = longer(rows[0].length, target, model);
        for (int i = 0; longer > 0 && i < rows.length; i++) {
            rows[i] = (String[]) lengthened(rows[i], rows[i].length + longer);
        }
        return rows;
    }

    public static int random(int value, Object target, int model) {
        return (int) other(value, target, model, false);
    }

    public static long random(long value, Object target, int model) {
        return other(value, target, model, true);
    }

    private static long other(long value, Object target, int model, boolean wide) {
        if (SurefootChoices.test == 0) {
            return value;
        }
        Object[] numbers = new Object[1 + OTHER_NUMBERS];
        numbers[0] = value;
        for (int i = 1; i < numbers.length; i++) {
            long mixed = SurefootChoices.spread((int) (value ^ (value >>> 32)) + i * 0x51ED2701);
            numbers[i] = wide ? mixed : (long) (int) (mixed >>> 16);
        }
        int[] order = ask(numbers, target, model, value, value);
        return order == null ? value : (Long) numbers[order[0]];
    }

    private static int longer(int length, Object target, int model) {
        if (SurefootChoices.test == 0) {
            return 0;
        }
        Object[] lengths = new Object[1 + MOST_LONGER];
        for (int i = 0; i < lengths.length; i++) {
            lengths[i] = length + i;
        }
        int[] order = ask(lengths, target, model, length, length);
        return order == null ? 0 : order[0];
    }

    private static Object[] lengthened(Object[] array, int length) {
        Object[] longer = Arrays.copyOf(array, length);
        for (int i = array.length; i < length; i++) {
            longer[i] = array[array.length - 1];
        }
        return longer;
    }

    private static int[] order(Object[] elements, Object target, int model) {
        if (SurefootChoices.test == 0) {
            return null;
        }
        long state = elements.length;
        long content = elements.length;
        for (Object element : elements) {
            Object known = element instanceof Map.Entry ? ((Map.Entry<?, ?>) element).getKey() : element;
            boolean isValue = known instanceof String || known instanceof Number || known instanceof Character;
            // Without running code of the user's.
            isValue = isValue && known.getClass().getClassLoader() == null;
            state = 31 * state + (isValue ? known.hashCode() : System.identityHashCode(known));
            content += SurefootChoices.spread(isValue ? known.hashCode() : known == null ? 0 : known.getClass().getName().hashCode());
        }
        return ask(elements, target, model, state, content);
    }

    /** A static method has no target. */
    private static int[] ask(Object[] elements, Object target, int model, long state, long content) {
        Object asked = target == null ? SurefootDeclared.class : target;
        return SurefootChoices.order(model, 0, asked, state, content, elements, elements);
    }

    private static boolean isUnmodifiable(Object collection) {
        String name = collection.getClass().getName();
        return name.startsWith("java.util.Collections$Unmodifiable") || name.startsWith("java.util.ImmutableCollections$");
    }
}
