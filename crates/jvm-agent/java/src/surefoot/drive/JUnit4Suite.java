package surefoot.drive;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.IdentityHashMap;
import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import junit.framework.Test;
import junit.framework.TestSuite;
import org.junit.internal.runners.JUnit38ClassRunner;
import org.junit.runner.Description;
import org.junit.runner.Request;
import org.junit.runner.Runner;
import org.junit.runner.manipulation.Filter;
import org.junit.runner.manipulation.NoTestsRemainException;
import org.junit.runner.manipulation.Sorter;
import org.junit.runner.notification.RunNotifier;
import org.junit.runners.ParentRunner;
import org.junit.runners.model.RunnerScheduler;
import surefoot.junit.JUnit38;

/**
 * Runs JUnit 4 tests, class by class, with the runner that the class asks for.
 *
 * <p>Order and repeats come from the runner's scheduler: it hands over each child as a Runnable that makes a new instance,
 * runs its before and after, and lies inside the class-level set-up; to run it twice is what a copy of the method would do.
 * A Sorter alone would not do: a class with {@code @FixMethodOrder} does not let itself be sorted.
 */
final class JUnit4Suite implements Suite {
    @Override
    public String run(Experiment experiment) throws Exception {
        List<String> addresses = experiment.addresses;
        for (int start = 0; start < addresses.size(); ) {
            String root = root(addresses.get(start));
            int end = start + 1;
            while (!experiment.setupPerRun && end < addresses.size() && root(addresses.get(end)).equals(root)) {
                end++;
            }
            runClass(root, displayNames(addresses.subList(start, end)));
            start = end;
        }
        return null;
    }

    private static void runClass(String className, List<String> names) throws Exception {
        Class<?> type = Class.forName(className, false, Thread.currentThread().getContextClassLoader());
        Runner runner = Request.aClass(type).getRunner();
        if (runner instanceof JUnit38ClassRunner) {
            runJUnit38(type, runner, names);
            return;
        }
        // Without a scheduler to repeat with, a test that comes again is a new run of the class.
        List<List<String>> rounds = canRepeat(runner, names) ? Collections.singletonList(names) : rounds(names);
        for (List<String> round : rounds) {
            // Made no more often than needed: a runner may call the user's code to find its tests.
            runOnce(runner == null ? Request.aClass(type).getRunner() : runner, round);
            runner = null;
        }
    }

    private static boolean canRepeat(Runner runner, List<String> names) {
        return runner instanceof ParentRunner
                && childRunners((ParentRunner<?>) runner).stream()
                        .allMatch(
                                child ->
                                        child.getDescription().isTest()
                                                || Collections.disjoint(leaves(child.getDescription()), names)
                                                || canRepeat(child, names));
    }

    private static void runOnce(Runner runner, List<String> names) throws Exception {
        try {
            new Only(names).apply(runner);
        } catch (NoTestsRemainException e) {
            return;
        }
        Map<String, Integer> order = new HashMap<>();
        for (String name : names) {
            order.putIfAbsent(name, order.size());
        }
        new Sorter((a, b) -> Integer.compare(position(order, a), position(order, b))).apply(runner);
        if (runner instanceof ParentRunner) {
            new Order((ParentRunner<?>) runner).names = names;
        }
        runner.run(new RunNotifier());
    }

    /** The runner's own filter takes or leaves whole suites. A test runs again as another instance: one of another suite. */
    private static void runJUnit38(Class<?> type, Runner first, List<String> names) throws ReflectiveOperationException {
        Map<String, Deque<Test>> made = new HashMap<>();
        collect(JUnit38.test(first), made);
        TestSuite wanted = new TestSuite(type.getName());
        // Some run all tests below them at once.
        Set<Test> added = Collections.newSetFromMap(new IdentityHashMap<>());
        for (String name : names) {
            Deque<Test> tests = made.get(name);
            if (tests == null) {
                continue; // The agent sees no event, so the scheduler reports it as not run.
            }
            if (tests.isEmpty()) {
                collect(JUnit38.test(Request.aClass(type).getRunner()), made);
            }
            Test test = tests.poll();
            if (test != null && added.add(test)) {
                wanted.addTest(test);
            }
        }
        new JUnit38ClassRunner(wanted).run(new RunNotifier());
    }

    /** By their names, the tests of a suite, however deep. */
    private static void collect(Test test, Map<String, Deque<Test>> made) throws ReflectiveOperationException {
        if (test instanceof TestSuite) {
            TestSuite suite = (TestSuite) test;
            for (int i = 0; i < suite.testCount(); i++) {
                collect(suite.testAt(i), made);
            }
        } else {
            for (String name : leaves(JUnit38.describe(test))) {
                made.computeIfAbsent(name, n -> new ArrayDeque<>()).add(test);
            }
        }
    }

    private static List<Runner> childRunners(ParentRunner<?> parent) {
        try {
            java.lang.reflect.Method method = ParentRunner.class.getDeclaredMethod("getChildren");
            method.setAccessible(true);
            List<Runner> runners = new ArrayList<>();
            for (Object child : (List<?>) method.invoke(parent)) {
                if (child instanceof Runner) {
                    runners.add((Runner) child);
                }
            }
            return runners;
        } catch (ReflectiveOperationException e) {
            return Collections.emptyList();
        }
    }

    private static Set<String> leaves(Description description) {
        Set<String> names = new LinkedHashSet<>();
        collectLeaves(description, names);
        return names;
    }

    private static void collectLeaves(Description description, Set<String> names) {
        if (description.isTest()) {
            names.add(description.getDisplayName());
        }
        for (Description child : description.getChildren()) {
            collectLeaves(child, names);
        }
    }

    private static int position(Map<String, Integer> order, Description description) {
        int position = Integer.MAX_VALUE;
        for (String leaf : leaves(description)) {
            position = Math.min(position, order.getOrDefault(leaf, Integer.MAX_VALUE));
        }
        return position;
    }

    /** The class whose runner the test belongs to: {@code suite>test(class)} or {@code test(class)}. */
    private static String root(String address) {
        int suite = address.indexOf('>');
        int open = address.lastIndexOf('(');
        if (suite > 0 && isClassName(address.substring(0, suite))) {
            return address.substring(0, suite);
        }
        return open >= 0 && address.endsWith(")") ? address.substring(open + 1, address.length() - 1) : address;
    }

    private static boolean isClassName(String text) {
        return text.chars().allMatch(c -> Character.isJavaIdentifierPart(c) || c == '.');
    }

    private static List<String> displayNames(List<String> addresses) {
        List<String> names = new ArrayList<>();
        for (String address : addresses) {
            int suite = address.indexOf('>');
            boolean below = suite > 0 && isClassName(address.substring(0, suite));
            names.add(below ? address.substring(suite + 1) : address);
        }
        return names;
    }

    /** Cut wherever a name comes again. */
    private static List<List<String>> rounds(List<String> names) {
        List<List<String>> rounds = new ArrayList<>();
        Set<String> current = new LinkedHashSet<>();
        for (String name : names) {
            if (!current.add(name)) {
                rounds.add(new ArrayList<>(current));
                current = new LinkedHashSet<>(Arrays.asList(name));
            }
        }
        rounds.add(new ArrayList<>(current));
        return rounds;
    }

    private static final class Only extends Filter {
        private final Set<String> names;

        Only(List<String> names) {
            this.names = new HashSet<>(names);
        }

        @Override
        public boolean shouldRun(Description description) {
            return !Collections.disjoint(leaves(description), names);
        }

        @Override
        public String describe() {
            return "the tests of an experiment";
        }
    }

    /** Runs the children of a runner as often, and in the order, that the names say. */
    private static final class Order implements RunnerScheduler {
        private final ParentRunner<?> parent;
        /** Several under one description if their names are the same. */
        private final Map<Description, List<Order>> below = new HashMap<>();
        private final List<Runnable> scheduled = new ArrayList<>();

        /** For the next run of the runner: one below a suite may run several times, with other tests each time. */
        private List<String> names;

        Order(ParentRunner<?> parent) {
            this.parent = parent;
            for (Runner child : childRunners(parent)) {
                if (child instanceof ParentRunner) {
                    below.computeIfAbsent(child.getDescription(), d -> new ArrayList<>())
                            .add(new Order((ParentRunner<?>) child));
                }
            }
            parent.setScheduler(this);
        }

        @Override
        public void schedule(Runnable child) {
            scheduled.add(child);
        }

        @Override
        public void finished() {
            List<Runnable> runnables = new ArrayList<>(scheduled);
            scheduled.clear();
            // The runner hands over its children in the order in which it describes them.
            List<Description> children = parent.getDescription().getChildren();
            List<Integer> wanted = children(children.subList(0, Math.min(children.size(), runnables.size())));
            List<Order> orders = below(children);
            Set<Integer> ran = new HashSet<>();
            for (int start = 0; start < names.size(); ) {
                Integer child = wanted.get(start);
                int end = start + 1;
                if (child != null) {
                    Order order = orders.get(child);
                    if (order != null) {
                        while (end < names.size() && child.equals(wanted.get(end))) {
                            end++;
                        }
                        order.names = names.subList(start, end);
                    }
                    // Whatever else is no single test runs all it has at once, so it runs once.
                    if (order != null || children.get(child).isTest() || ran.add(child)) {
                        runnables.get(child).run();
                    }
                }
                start = end;
            }
        }

        /** Which child each name means. If it is the name of several, they take turns. */
        private List<Integer> children(List<Description> children) {
            Map<String, Deque<Integer>> called = new HashMap<>();
            for (int i = 0; i < children.size(); i++) {
                for (String leaf : leaves(children.get(i))) {
                    called.computeIfAbsent(leaf, l -> new ArrayDeque<>()).add(i);
                }
            }
            List<Integer> wanted = new ArrayList<>();
            for (String name : names) {
                Deque<Integer> turns = called.get(name);
                Integer child = turns == null ? null : turns.poll();
                wanted.add(child);
                if (child != null) {
                    turns.add(child);
                }
            }
            return wanted;
        }

        /** For each child that is a runner itself; of those with the same name, one after the other. */
        private List<Order> below(List<Description> children) {
            Map<Description, Iterator<Order>> left = new HashMap<>();
            List<Order> orders = new ArrayList<>();
            for (Description child : children) {
                Iterator<Order> same =
                        left.computeIfAbsent(child, c -> below.getOrDefault(c, Collections.<Order>emptyList()).iterator());
                orders.add(same.hasNext() ? same.next() : null);
            }
            return orders;
        }
    }
}
