package java.util;

import java.io.File;

/**
 * Methods that return an array in no particular order. The array is the caller's own: the JDK made it for this call.
 *
 * <p>What the VM or the file system returns differs from run to run, so the elements are sorted before they are put into
 * the order that was chosen: else a seed would not mean the same twice.
 */
public final class SurefootArrays {
    private SurefootArrays() {}

    /** Members of a class: "The elements in the array returned are not sorted and are not in any particular order." */
    public static Object[] members(Object[] members, Class<?> type, int model, int which) {
        if (SurefootChoices.test == 0 || members == null || members.length < 2) {
            return members;
        }
        String[] texts = new String[members.length];
        for (int i = 0; i < members.length; i++) {
            texts[i] = members[i].toString();
        }
        return arrange(members, texts, type, model, which, type.getName().hashCode() + which);
    }

    /**
     * Files of a directory: "There is no guarantee that the name strings in the resulting array will appear in any specific
     * order".
     */
    public static String[] files(String[] names, File directory, int model) {
        if (SurefootChoices.test == 0 || names == null || names.length < 2) {
            return names;
        }
        arrangeFiles(names, names.clone(), directory, model);
        return names;
    }

    /** A directory that holds the same is the same: it shows one order, whoever looks at it and by which object. */
    static void arrangeFiles(Object[] files, String[] names, Object target, int model) {
        long content = 0;
        for (String name : names) {
            content += SurefootChoices.spread(name.hashCode());
        }
        arrange(files, names, target, model, content, content);
    }

    private static Object[] arrange(Object[] array, String[] texts, Object target, int model, long state, long content) {
        Object[] sorted = array.clone();
        // Few elements, and mostly sorted: no class of the JDK's that might ask for an order itself.
        for (int i = 1; i < sorted.length; i++) {
            Object element = sorted[i];
            String text = texts[i];
            int to = i;
            for (; to > 0 && texts[to - 1].compareTo(text) > 0; to--) {
                texts[to] = texts[to - 1];
                sorted[to] = sorted[to - 1];
            }
            texts[to] = text;
            sorted[to] = element;
        }
        int[] order = SurefootChoices.order(model, target, state, content, sorted, array);
        if (order != null) {
            for (int i = 0; i < order.length; i++) {
                array[i] = sorted[order[i]];
            }
        }
        return array;
    }
}
