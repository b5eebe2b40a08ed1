package java.util;

import java.lang.annotation.Annotation;
import java.lang.reflect.Executable;
import java.lang.reflect.Field;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Where woven code of the JDK asks in which order to show something whose order is not specified.
 *
 * <p>The agent decides (native); what was decided for an object that has not changed since is remembered here. Nothing in
 * here runs code of the user's, and nothing of it uses a class that is woven.
 */
public final class SurefootChoices {
    /** The number of the test that is under way; 0 if there is none, and then everything is as the JDK has it. */
    public static volatile int test;

    /** Not 0: one object shows one order as long as it is unchanged. */
    static int remembers;

    /** Not 0: tell each choice with its stack. */
    static int tracing;

    /** Not 0: only some choices are made. */
    static int narrowed;

    private static final int MOST_MODELS = 1000;
    private static final int MOST_FRAMES = 100;
    private static final int MOST_ELEMENTS = 24;
    private static final int LONGEST_TEXT = 60;

    /** How many initialisers of classes of the program are under way. */
    private static final AtomicInteger INITIALISERS = new AtomicInteger();

    static {
        // The VM looks for native methods when they are first called, and iterates a woven map while it does: better now.
        choose(-1, 0, 0, false, false);
        chooseByContent(-1, 0, 0);
        SurefootOften.ofThisThread(0);
        traced(new int[0], new int[0], new String[0], new String[0]);
    }

    private SurefootChoices() {}

    /**
     * Which element comes at which place; null for the order that the JDK has.
     *
     * @param which what of the target is shown, if it shows several things
     * @param state another number whenever the object has changed
     * @param content the same number for objects that are equal
     * @param elements in an order that is the same in every VM
     * @param usual the same, as they would come
     */
    static int[] order(
            int model, int which, Object target, long state, long content, Object[] elements, Object[] usual) {
        int now = test;
        if (now == 0 || elements.length < 2) {
            return null;
        }
        int what = MOST_MODELS * which + model;
        int[] order = remembers == 0 ? null : SurefootMemory.find(target, what, state, now);
        if (order == null) {
            SurefootOften often = SurefootOften.ofThisThread(now);
            boolean initialising = INITIALISERS.get() != 0;
            if (often.isReached() && !initialising && tracing == 0 && narrowed == 0) {
                // Nobody looks who asks. Where that matters, to confirm a failure and to find its cause, it is looked at.
                order = often.order(model, content, elements.length);
                if (order != null) {
                    return order;
                }
            }
            order = choose(model, content, elements.length, initialising, often.isReached());
            if (order == null) {
                return null;
            }
            often.count();
            if (remembers != 0) {
                order = SurefootMemory.keep(target, what, state, now, order);
            }
        }
        if (order.length != elements.length) {
            return null;
        }
        if (tracing != 0) {
            trace(order, elements, usual);
        }
        return order;
    }

    /** Called where the initialiser of a class begins; it may be seen on the stack from now on. */
    public static void initialiserBegins() {
        INITIALISERS.incrementAndGet();
    }

    /** Called before it returns. */
    public static void initialiserEnds() {
        INITIALISERS.decrementAndGet();
    }

    /** The elements in that order; null for null. */
    public static Object[] arranged(Object[] elements, int[] order) {
        if (order == null) {
            return null;
        }
        Object[] arranged = elements.clone();
        for (int i = 0; i < order.length; i++) {
            arranged[i] = elements[order[i]];
        }
        return arranged;
    }

    /** Spreads a hash code, so that the sum over a set tells sets apart. */
    public static long spread(int hash) {
        long mixed = hash * 0x9E3779B97F4A7C15L;
        return mixed ^ (mixed >>> 29);
    }

    /**
     * An order for so many elements; an empty array if the order of the JDK is to stay, and null if whoever asks is not to be
     * told any other.
     *
     * @param often by content, unless the initialiser of a class asks
     */
    private static native int[] choose(int model, long content, int size, boolean initialising, boolean often);

    /** The same, whoever asks. */
    static native int[] chooseByContent(int model, long content, int size);

    /** Tells who sees this order of these elements. */
    private static native void traced(int[] order, int[] shown, String[] frames, String[] usual);

    private static void trace(int[] order, Object[] elements, Object[] usual) {
        StackTraceElement[] stack = new Throwable().getStackTrace();
        String[] frames = new String[Math.min(stack.length, MOST_FRAMES)];
        for (int i = 0; i < frames.length; i++) {
            StackTraceElement frame = stack[i];
            String place = frame.getFileName() == null ? "" : frame.getFileName() + ":" + frame.getLineNumber();
            frames[i] = frame.getClassName() + "." + frame.getMethodName() + "(" + place + ")";
        }
        String[] described = new String[Math.min(usual.length, MOST_ELEMENTS)];
        for (int i = 0; i < described.length; i++) {
            described[i] = described(usual[i], i);
        }
        int[] shown = order;
        if (usual != elements) {
            shown = new int[order.length];
            for (int i = 0; i < order.length; i++) {
                while (usual[shown[i]] != elements[order[i]]) {
                    shown[i]++;
                }
            }
        }
        traced(order, shown, frames, described);
    }

    /** Without running code of the user's: a toString may do anything. */
    private static String described(Object element, int index) {
        if (element instanceof Map.Entry && element.getClass().getClassLoader() == null) {
            element = ((Map.Entry<?, ?>) element).getKey();
        }
        if (element == null) {
            return "null";
        }
        if (element instanceof String) {
            String text = (String) element;
            return '"' + (text.length() <= LONGEST_TEXT ? text : text.substring(0, LONGEST_TEXT) + "…") + '"';
        }
        Class<?> type = element.getClass();
        if (element instanceof Enum) {
            return ((Enum<?>) element).name();
        }
        if (element instanceof Class) {
            return ((Class<?>) element).getName();
        }
        if (element instanceof Executable) {
            return ((Executable) element).getName() + "(…" + ((Executable) element).getParameterCount() + ")";
        }
        if (element instanceof Field) {
            return ((Field) element).getName();
        }
        if (element instanceof Annotation) {
            return "@" + ((Annotation) element).annotationType().getName();
        }
        if (type == Locale.class) {
            return element.toString();
        }
        if (type.getClassLoader() == null && (element instanceof Number || element instanceof Boolean || element instanceof Character)) {
            return element.toString();
        }
        return type.getName() + " #" + (index + 1);
    }
}
