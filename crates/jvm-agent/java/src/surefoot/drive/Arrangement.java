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
 * another discovery. A plain test method holds nothing, so one descriptor serves all its runs.
 */
final class Arrangement {
    private final PlatformSuite suite;
    private final PlatformSuite.Discovery first;
    private final Map<String, Integer> occurred = new HashMap<>();

    Arrangement(PlatformSuite suite, PlatformSuite.Discovery first) {
        this.suite = suite;
        this.first = first;
    }

    void arrange(Occurrence root) {
        for (Occurrence engine : root.children) {
            fill(first.descriptors.get(engine.id), engine);
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
        int before = occurred.merge(occurrence.id, 1, Integer::sum) - 1;
        boolean plainTest = occurrence.children.isEmpty() && occurrence.made.isEmpty();
        boolean onlyOne = before == 0 && occurrence.made.isEmpty();
        if (plainTest || onlyOne) {
            return first.descriptors.get(occurrence.id);
        }
        List<String> wanted = new ArrayList<>(occurrence.made);
        if (wanted.isEmpty()) {
            wanted.add(occurrence.id);
        }
        return suite.discover(wanted).descriptors.get(occurrence.id);
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
        }
        for (TestDescriptor child : children) {
            child.setParent(parent);
        }
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
