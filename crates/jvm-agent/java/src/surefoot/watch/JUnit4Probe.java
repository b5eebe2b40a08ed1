package surefoot.watch;

import java.lang.reflect.Field;
import java.util.ArrayDeque;
import java.util.Collections;
import java.util.Deque;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.SurefootProbe;
import java.util.WeakHashMap;
import org.junit.runner.Description;
import org.junit.runner.Runner;
import org.junit.runner.notification.Failure;
import surefoot.junit.JUnit38;

/**
 * Watches JUnit 4: every event passes RunNotifier, below Vintage too.
 *
 * <p>An event names the test's own class. A class that was run as part of a Suite must be run by that Suite again, so
 * the runners on the way are watched as well: the address of such a test is {@code suite>test}.
 */
public final class JUnit4Probe extends SurefootProbe {
    private static final int STARTED = 0;
    private static final int FINISHED = 1;
    private static final int FAILURE = 2;
    private static final int ASSUMPTION_FAILED = 3;
    private static final int IGNORED = 4;
    private static final int PARENT_RUNNER = 5;
    private static final int SUITE_METHOD = 6;
    private static final int JUNIT38_MADE = 7;
    private static final int JUNIT38_RUNNER = 8;
    private static final int PARENT_RUNNER_ENDS = 9;
    private static final int TIMEOUT_BEGINS = 14;
    private static final int TIMEOUT_ENDS = 15;

    private final ThreadLocal<Place> place = ThreadLocal.withInitial(Place::new);

    /** The runners that a thread is in. */
    private final ThreadLocal<Deque<Description>> runners = ThreadLocal.withInitial(ArrayDeque::new);

    /** The class with the {@code suite()} method that is being called in this thread. */
    private final ThreadLocal<Class<?>> suiteClass = new ThreadLocal<>();

    /** For each timeout that a thread waits in: whether it is around nothing but the test method. */
    private final ThreadLocal<Deque<Boolean>> timeouts = ThreadLocal.withInitial(ArrayDeque::new);

    /** What {@code suite()} methods made: nothing else tells which class they are of. */
    private final Map<Object, Class<?>> suites = Collections.synchronizedMap(new WeakHashMap<>());

    @Override
    protected void on(int hook, Object first, Object second) throws ReflectiveOperationException {
        if (hook >= BEFORE_CONSTRUCTION) {
            passes(hook, first);
            return;
        }
        String[] facts = LaunchFacts.taken() ? null : LaunchFacts.once(Collections.emptyMap());
        if (facts != null) {
            emit(Kind.VM, facts);
        }
        switch (hook) {
            case PARENT_RUNNER:
                Description description = ((Runner) first).getDescription();
                place.get().runnerStarts(description.getTestClass(), description);
                runners.get().push(description);
                classScope(Kind.CLASS_BEGINS, description);
                break;
            case PARENT_RUNNER_ENDS:
                classScope(Kind.CLASS_ENDS, runners.get().pop());
                break;
            case SUITE_METHOD:
                suiteClass.set((Class<?>) first);
                break;
            case JUNIT38_MADE:
                if (suiteClass.get() != null) {
                    suites.put(first, suiteClass.get());
                    suiteClass.remove();
                }
                break;
            case JUNIT38_RUNNER:
                Class<?> type = suites.get(JUnit38.test((Runner) first));
                place.get().runnerStarts(type, ((Runner) first).getDescription());
                break;
            case STARTED:
                emit(Kind.STARTED, seen((Description) first).with());
                place.get().testStarts((Description) first);
                break;
            case FINISHED:
                emit(Kind.FINISHED, seen((Description) first).with("SO_FAR", (Throwable) null));
                place.get().testEnds((Description) first);
                break;
            case FAILURE:
                failed(Kind.FAILED_SO_FAR, (Failure) first);
                break;
            case ASSUMPTION_FAILED:
                failed(Kind.ABORTED_SO_FAR, (Failure) first);
                break;
            case IGNORED:
                ignored((Description) first);
                break;
            default:
                break;
        }
    }

    /** The points that a test passes on its way; rules are part of set-up and tear-down. */
    private void passes(int hook, Object first) throws IllegalAccessException {
        Deque<Boolean> around = timeouts.get();
        if (hook == TIMEOUT_BEGINS) {
            around.push(isAroundMethod(first));
            if (around.peek()) {
                point(AFTER_SETUP);
            }
        } else if (hook != TIMEOUT_ENDS) {
            point(hook);
        } else if (around.pop()) {
            point(BEFORE_TEARDOWN);
        }
    }

    /** A rule may put a timeout around set-up and tear-down as well. */
    private static boolean isAroundMethod(Object timeout) throws IllegalAccessException {
        for (Field field : timeout.getClass().getDeclaredFields()) {
            if (field.getType().getName().equals("org.junit.runners.model.Statement")) {
                field.setAccessible(true);
                String inside = field.get(timeout).getClass().getSimpleName();
                return inside.equals("InvokeMethod") || inside.equals("ExpectException");
            }
        }
        return false;
    }

    /** A class, with its set-up and tear-down; but not a suite of classes. */
    private static void classScope(int kind, Description description) {
        if (!observes() || description.getTestClass() == null) {
            return;
        }
        for (Description child : description.getChildren()) {
            // The rows of a Parameterized class are suites of no class.
            if (child.isSuite() && child.getTestClass() != null) {
                return;
            }
        }
        emit(kind, "junit4", description.getTestClass().getName());
    }

    private void failed(int kind, Failure failure) {
        Description description = failure.getDescription();
        SeenTest seen = seen(description);
        if (description.isSuite()) {
            if (kind == Kind.FAILED_SO_FAR) {
                emit(Kind.CONTAINER_FAILED, seen.with("FAILED", failure.getException()));
            } else {
                skipped(description, Thrown.message(failure.getException()));
            }
        } else {
            emit(kind, seen.with("SO_FAR", failure.getException()));
        }
    }

    /** An assumption about a whole class does not hold: none of its tests runs. */
    private void skipped(Description description, String reason) {
        if (description.isTest()) {
            emit(Kind.SKIPPED, seen(description).with(reason));
        }
        for (Description child : description.getChildren()) {
            skipped(child, reason);
        }
    }

    private void ignored(Description description) {
        org.junit.Ignore reason = description.getAnnotation(org.junit.Ignore.class);
        emit(Kind.SKIPPED, seen(description).with(reason == null ? null : reason.value()));
    }

    private SeenTest seen(Description description) {
        String display = description.getDisplayName();
        String className = description.getClassName();
        Root around = place.get().rootOf(description);
        String address = around == null ? display : around.address(description, className);
        String method = description.isSuite() ? null : description.getMethodName();
        SeenTest seen = new SeenTest("junit4", address, className, method, display, null);
        return isTestCase(description.getTestClass()) ? seen.writtenFor("junit3") : seen;
    }

    /** By name: the class need not be there. */
    private static boolean isTestCase(Class<?> type) {
        for (Class<?> above = type; above != null; above = above.getSuperclass()) {
            if (above.getName().equals("junit.framework.TestCase")) {
                return true;
            }
        }
        return false;
    }

    /** Where a thread is. A test may run tests with runners of their own; what is said of it afterwards is said below its own root. */
    private static final class Place {
        private Root root;
        private final Deque<Underway> tests = new ArrayDeque<>();

        void runnerStarts(Class<?> type, Description description) {
            // A root that starts again may have other tests below it than the last time.
            if (root == null || root.isOf(description) || !root.contains(description)) {
                root = new Root(type, description);
            }
        }

        void testStarts(Description test) {
            tests.push(new Underway(test, root));
        }

        void testEnds(Description test) {
            Underway ended = underway(test);
            if (ended != null) {
                while (tests.pop() != ended) {
                    // One that ended in another thread, or never.
                }
                root = ended.root;
            }
        }

        Root rootOf(Description description) {
            Underway test = underway(description);
            return test == null ? root : test.root;
        }

        private Underway underway(Description description) {
            for (Underway test : tests) {
                if (test.description.equals(description)) {
                    return test;
                }
            }
            return null;
        }
    }

    private static final class Underway {
        private final Description description;
        private final Root root;

        Underway(Description description, Root root) {
            this.description = description;
            this.root = root;
        }
    }

    /** The outermost runner of the thread that is about a class. */
    private static final class Root {
        private final Description description;
        private final String className;
        private final Set<Description> below = new HashSet<>();

        Root(Class<?> type, Description description) {
            this.description = description;
            className = type == null ? null : type.getName();
            if (className != null) {
                collect(description);
            }
        }

        private void collect(Description description) {
            below.add(description);
            for (Description child : description.getChildren()) {
                collect(child);
            }
        }

        boolean isOf(Description other) {
            return description.equals(other);
        }

        boolean contains(Description description) {
            return below.contains(description);
        }

        String address(Description description, String ownClass) {
            String display = description.getDisplayName();
            boolean elsewhere = className != null && !className.equals(ownClass) && contains(description);
            return elsewhere ? className + ">" + display : display;
        }
    }
}
