package java.util;

import java.util.concurrent.SurefootConcurrentHashMap;
import java.util.function.BiConsumer;
import java.util.function.BiFunction;
import java.util.function.Consumer;

/** Every way to look at a collection or a map: what woven methods call. */
public final class SurefootLooks {
    private SurefootLooks() {}

    /** What there is to look at; null if its order is specified, or unknown. */
    private static SurefootSource source(Object target, int model, int view) {
        if (SurefootChoices.test == 0) {
            return null;
        }
        if (target instanceof HashMap) {
            // A LinkedHashMap has views of its own, which no model touches.
            return target instanceof LinkedHashMap ? null : new SurefootHashMap((HashMap<?, ?>) target, model, view);
        }
        if (target instanceof PriorityQueue) {
            return new SurefootPriorityQueue((PriorityQueue<?>) target, model);
        }
        if (target instanceof IdentityHashMap) {
            return new SurefootIdentityHashMap((IdentityHashMap<?, ?>) target, model, view);
        }
        if (target instanceof Hashtable || target instanceof WeakHashMap) {
            return SurefootWalk.ofEntries((Map<?, ?>) target, model);
        }
        return SurefootConcurrentHashMap.source(target, model, view);
    }

    public static Iterator<?> iterator(Iterator<?> plain, Object target, int model, int view) {
        SurefootSource source = source(target, model, view);
        Object[] elements = source == null ? null : source.chosen();
        return elements == null ? plain : new SurefootIterator(source, elements);
    }

    public static Enumeration<?> enumeration(Enumeration<?> plain, Object target, int model, int view) {
        SurefootSource source = source(target, model, view);
        Object[] elements = source == null ? null : source.chosen();
        return elements == null ? plain : new SurefootIterator(source, elements);
    }

    public static Spliterator<?> spliterator(Spliterator<?> plain, Object target, int model, int view) {
        SurefootSource source = source(target, model, view);
        return source == null ? plain : new SurefootSpliterator(source, plain);
    }

    /** An array that the collection has filled in its own order. */
    public static Object[] array(Object[] filled, Object target, int model, int view) {
        SurefootSource source = source(target, model, view);
        if (source != null) {
            source.arrange(filled);
        }
        return filled;
    }

    /** Whether it did what forEach of a collection would do. */
    @SuppressWarnings("unchecked")
    public static boolean forEach(Object target, Consumer<?> action, int model, int view) {
        SurefootSource source = action == null ? null : source(target, model, view);
        Object[] elements = source == null ? null : source.chosen();
        if (elements == null) {
            return false;
        }
        for (Object element : elements) {
            ((Consumer<Object>) action).accept(source.shown(element));
        }
        source.check();
        return true;
    }

    /** Whether it did what forEach of a map would do. */
    @SuppressWarnings("unchecked")
    public static boolean forEach(Object map, BiConsumer<?, ?> action, int model) {
        SurefootSource source = action == null ? null : source(map, model, SurefootSource.KEYS);
        Object[] elements = source == null ? null : source.chosen();
        if (elements == null) {
            return false;
        }
        for (Object element : elements) {
            ((BiConsumer<Object, Object>) action).accept(source.key(element), source.value(element));
        }
        source.check();
        return true;
    }

    /** Whether it did what replaceAll of a map would do. */
    @SuppressWarnings("unchecked")
    public static boolean replaceAll(Object map, BiFunction<?, ?, ?> function, int model) {
        SurefootSource source = function == null ? null : source(map, model, SurefootSource.KEYS);
        Object[] elements = source == null ? null : source.chosen();
        if (elements == null) {
            return false;
        }
        for (Object element : elements) {
            source.replace(element, (BiFunction<Object, Object, Object>) function);
        }
        source.check();
        return true;
    }

    /** Whether the text of a map is to be {@link #text}. */
    public static boolean isArranged(Object map, int model) {
        SurefootSource source = source(map, model, SurefootSource.KEYS);
        return source != null && source.chosen() != null;
    }

    /** "a list of key-value mappings (in no particular order) enclosed in braces" */
    public static String text(Object map, int model) {
        StringBuilder text = new StringBuilder("{");
        for (Map.Entry<?, ?> entry : ((Map<?, ?>) map).entrySet()) {
            if (text.length() > 1) {
                text.append(", ");
            }
            Object key = entry.getKey();
            Object value = entry.getValue();
            text.append(key == map ? "(this Map)" : key).append('=').append(value == map ? "(this Map)" : value);
        }
        return text.append('}').toString();
    }
}
