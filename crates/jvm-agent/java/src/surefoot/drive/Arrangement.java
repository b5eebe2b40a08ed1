package surefoot.drive;

import java.lang.reflect.Field;
import java.util.AbstractSet;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.platform.engine.TestDescriptor;

/**
 * Makes a discovered tree look like a tree of occurrences.
 *
 * <p>A node that occurs again needs a descriptor of its own, since its children or the tests it makes differ: it comes from
 * another discovery, which finds the second occurrence of every node at once, or the third. A plain test method holds
 * nothing, so one descriptor serves all its runs; so does one for a method that makes tests and always makes all of them.
 */
final class Arrangement {
    private final PlatformSuite suite;
    private final PlatformSuite.Discovery first;

    /** In the order in which they come. */
    private final Map<String, List<Occurrence>> occurrences = new HashMap<>();

    /** By the number of the occurrence. */
    private final Map<Integer, PlatformSuite.Discovery> containers = new HashMap<>();

    private final Map<Integer, PlatformSuite.Discovery> makers = new HashMap<>();

    Arrangement(PlatformSuite suite, PlatformSuite.Discovery first) {
        this.suite = suite;
        this.first = first;
    }

    void arrange(Occurrence root) {
        number(root);
        for (Occurrence engine : root.children) {
            fill(first.descriptors.get(engine.id), engine);
        }
    }

    private void number(Occurrence occurrence) {
        for (Occurrence child : occurrence.children) {
            List<Occurrence> same = occurrences.computeIfAbsent(child.id, id -> new ArrayList<>());
            child.number = same.size();
            same.add(child);
            number(child);
        }
    }

    private void fill(TestDescriptor parent, Occurrence occurrence) {
        List<TestDescriptor> children = new ArrayList<>();
        for (Occurrence child : occurrence.children) {
            TestDescriptor descriptor = descriptor(child);
            if (!child.children.isEmpty()) {
                fill(descriptor, child);
            }
            descriptor.setParent(parent);
            children.add(descriptor);
        }
        setChildren(parent, children);
    }

    private TestDescriptor descriptor(Occurrence occurrence) {
        List<Occurrence> same = occurrences.get(occurrence.id);
        boolean makes = !occurrence.made.isEmpty();
        boolean always = makes ? occurrence.whole || same.size() == 1 : occurrence.children.isEmpty() || occurrence.number == 0;
        if (always) {
            return first.descriptors.get(occurrence.id);
        }
        PlatformSuite.Discovery discovery =
                makes
                        ? makers.computeIfAbsent(occurrence.number, this::discoverMakers)
                        : containers.computeIfAbsent(occurrence.number, this::discoverContainers);
        return discovery.descriptors.get(occurrence.id);
    }

    private PlatformSuite.Discovery discoverMakers(int number) {
        List<String> made = new ArrayList<>();
        for (List<Occurrence> same : occurrences.values()) {
            if (number < same.size() && same.size() > 1) {
                made.addAll(same.get(number).made);
            }
        }
        return suite.discover(made);
    }

    private PlatformSuite.Discovery discoverContainers(int number) {
        List<String> ids = new ArrayList<>();
        for (Map.Entry<String, List<Occurrence>> same : occurrences.entrySet()) {
            if (number < same.getValue().size() && !same.getValue().get(number).children.isEmpty()) {
                ids.add(same.getKey());
            }
        }
        return suite.discover(ids);
    }

    private static void setChildren(TestDescriptor parent, List<TestDescriptor> children) {
        for (TestDescriptor old : new ArrayList<TestDescriptor>(parent.getChildren())) {
            parent.removeChild(old);
        }
        Set<String> distinct = new HashSet<>();
        for (TestDescriptor child : children) {
            distinct.add(child.getUniqueId().toString());
        }
        if (distinct.size() == children.size()) {
            for (TestDescriptor child : children) {
                parent.addChild(child);
            }
        } else {
            replaceChildren(parent, new Listed(children));
            if (parent.getChildren().size() < children.size()) {
                replaceChildren(parent, new Listed(toldApart(children)));
            }
        }
        for (TestDescriptor child : children) {
            child.setParent(parent);
        }
    }

    private static List<TestDescriptor> toldApart(List<TestDescriptor> children) {
        Set<String> known = new HashSet<>();
        List<TestDescriptor> toldApart = new ArrayList<>();
        for (TestDescriptor child : children) {
            boolean isNew = known.add(child.getUniqueId().toString());
            toldApart.add(isNew ? child : Again.of(child));
        }
        return toldApart;
    }

    /** There is no other way to give a descriptor the same child twice. */
    private static void replaceChildren(TestDescriptor parent, Set<TestDescriptor> children) {
        for (Class<?> type = parent.getClass(); type != null; type = type.getSuperclass()) {
            if (type.getName().equals("org.junit.platform.engine.support.descriptor.AbstractTestDescriptor")) {
                try {
                    Field field = type.getDeclaredField("children");
                    field.setAccessible(true);
                    field.set(parent, children);
                    return;
                } catch (ReflectiveOperationException e) {
                    throw new IllegalStateException("this version of the JUnit Platform cannot repeat a test in one class", e);
                }
            }
        }
        throw new IllegalStateException("the engine's " + parent.getClass().getName() + " cannot repeat a test in one class");
    }

    /** A set only by name: the engine asks for no more than to walk over its children. */
    private static final class Listed extends AbstractSet<TestDescriptor> {
        private final List<TestDescriptor> elements;

        Listed(List<TestDescriptor> elements) {
            this.elements = new ArrayList<>(elements);
        }

        @Override
        public Iterator<TestDescriptor> iterator() {
            return elements.iterator();
        }

        @Override
        public int size() {
            return elements.size();
        }

        @Override
        public boolean remove(Object element) {
            return elements.remove(element);
        }
    }
}
