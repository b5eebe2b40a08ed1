package java.util;

import java.lang.annotation.Annotation;
import java.util.function.Consumer;
import java.util.stream.Stream;

/**
 * Methods that return an array in no particular order. The array is the caller's own: the JDK made it for this call.
 *
 * <p>What the VM or the file system returns differs from run to run, so the elements are sorted before they are put into
 * the order that was chosen: else a seed would not mean the same twice.
 */
public final class SurefootArrays {
    /** Stand for lists that are the VM's own. */
    private static final Object[] LISTS = new Object[16];

    static {
        for (int i = 0; i < LISTS.length; i++) {
            LISTS[i] = new Object();
        }
    }

    private SurefootArrays() {}

    /** Members of a class: "The elements in the array returned are not sorted and are not in any particular order." */
    public static Object[] members(Object[] members, Object of, int model, int which) {
        if (SurefootChoices.test == 0 || members == null || members.length < 2) {
            return members;
        }
        return arrange(members, texts(members), of, model, which);
    }

    /** Annotations of an element: no order is specified. */
    public static Object[] annotations(Object[] annotations, Object of, int model, int which) {
        if (SurefootChoices.test == 0 || annotations == null || annotations.length < 2) {
            return annotations;
        }
        String[] texts = new String[annotations.length];
        for (int i = 0; i < texts.length; i++) {
            // Their own texts would run code that looks into their members.
            texts[i] = ((Annotation) annotations[i]).annotationType().getName();
        }
        return arrange(annotations, texts, of, model, which);
    }

    /** Those of all parameters, which are in order themselves. */
    public static Object[][] parameterAnnotations(Object[][] annotations, Object of, int model) {
        for (int i = 0; annotations != null && i < annotations.length; i++) {
            annotations(annotations[i], of, model, i + 1);
        }
        return annotations;
    }

    /** A list that is the VM's own, of the locales say. */
    public static Object[] list(Object[] list, int model, int which) {
        if (SurefootChoices.test == 0 || list == null || list.length < 2) {
            return list;
        }
        return arrange(list, texts(list), LISTS[which], model, 0);
    }

    /** The same as a stream. */
    public static Stream<?> stream(Stream<?> stream, int model, int which) {
        if (SurefootChoices.test == 0 || stream == null) {
            return stream;
        }
        return Arrays.stream(list(stream.toArray(), model, which));
    }

    /** Of a queue that has filled the array up to its end, or to a null: "in no particular order". */
    public static Object[] queue(Object[] filled, Object queue, int model) {
        if (SurefootChoices.test == 0) {
            return filled;
        }
        int size = 0;
        long state = 0;
        while (size < filled.length && filled[size] != null) {
            // It does not count its modifications; other elements, or the same at other places, are another state.
            state = 31 * state + System.identityHashCode(filled[size++]);
        }
        Object[] elements = new Object[size];
        System.arraycopy(filled, 0, elements, 0, size);
        int[] order = SurefootChoices.order(model, 0, queue, state, size, elements, elements);
        for (int i = 0; order != null && i < size; i++) {
            filled[i] = elements[order[i]];
        }
        return filled;
    }

    /** Whether it did what forEach of such a queue would do. */
    @SuppressWarnings("unchecked")
    public static boolean forEach(Object queue, Consumer<?> action, int model) {
        if (SurefootChoices.test == 0 || action == null) {
            return false;
        }
        for (Object element : ((Collection<?>) queue).toArray()) {
            ((Consumer<Object>) action).accept(element);
        }
        return true;
    }

    /**
     * Files of a directory: "There is no guarantee that the name strings in the resulting array will appear in any specific
     * order".
     */
    public static String[] files(String[] names, Object directory, int model) {
        if (SurefootChoices.test == 0 || names == null || names.length < 2) {
            return names;
        }
        arrange(names, names.clone(), directory, model, 0);
        return names;
    }

    private static String[] texts(Object[] elements) {
        String[] texts = new String[elements.length];
        for (int i = 0; i < texts.length; i++) {
            texts[i] = elements[i].toString();
        }
        return texts;
    }

    /** What holds the same is the same: it shows one order, whoever looks at it. */
    static Object[] arrange(Object[] array, String[] texts, Object target, int model, int which) {
        long content = which;
        for (String text : texts) {
            content += SurefootChoices.spread(text.hashCode());
        }
        Object[] sorted = array.clone();
        sort(sorted, texts);
        int[] order = SurefootChoices.order(model, which, target, content, content, sorted, array);
        for (int i = 0; order != null && i < order.length; i++) {
            array[i] = sorted[order[i]];
        }
        return array;
    }

    /** By their texts, without a class of the JDK's that might ask for an order itself. */
    private static void sort(Object[] elements, String[] texts) {
        for (int i = 1; i < elements.length; i++) {
            Object element = elements[i];
            String text = texts[i];
            // Often they come sorted; else the place is found by halving.
            int from = texts[i - 1].compareTo(text) <= 0 ? i : 0;
            int to = i;
            while (from < to) {
                int middle = (from + to) >>> 1;
                if (texts[middle].compareTo(text) <= 0) {
                    from = middle + 1;
                } else {
                    to = middle;
                }
            }
            System.arraycopy(texts, to, texts, to + 1, i - to);
            System.arraycopy(elements, to, elements, to + 1, i - to);
            texts[to] = text;
            elements[to] = element;
        }
    }
}
