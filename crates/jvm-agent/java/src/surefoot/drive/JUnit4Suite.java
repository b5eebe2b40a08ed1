package surefoot.drive;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.runner.Description;
import org.junit.runner.Request;
import org.junit.runner.Runner;
import org.junit.runner.manipulation.Filter;
import org.junit.runner.manipulation.NoTestsRemainException;
import org.junit.runner.manipulation.Sorter;
import org.junit.runner.notification.RunNotifier;
import org.junit.runners.ParentRunner;
import org.junit.runners.model.RunnerScheduler;

/**
 * Runs JUnit 4 tests, class by class, with the runner that the class asks for.
 *
 * <p>Order comes from a Sorter. Repeats come from the runner's scheduler: it hands over each child as a Runnable that
 * makes a new instance, runs its before and after, and lies inside the class-level set-up; to run it twice is what a copy
 * of the method would do.
 */
final class JUnit4Suite implements Suite {
    @Override
    public void run(List<String> addresses, boolean setupPerRun, Map<String, String> configuration) throws Exception {
        for (int start = 0; start < addresses.size(); ) {
            String root = root(addresses.get(start));
            int end = start + 1;
            while (!setupPerRun && end < addresses.size() && root(addresses.get(end)).equals(root)) {
                end++;
            }
            runClass(root, displayNames(addresses.subList(start, end)));
            start = end;
        }
    }

    private static void runClass(String className, List<String> names) throws Exception {
        Class<?> type = Class.forName(className, false, Thread.currentThread().getContextClassLoader());
        if (Request.aClass(type).getRunner() instanceof ParentRunner) {
            runOnce(type, names);
        } else {
            // No scheduler to repeat with, so a test that comes again is a new run of the class.
            for (List<String> round : rounds(names)) {
                runOnce(type, round);
            }
        }
    }

    private static void runOnce(Class<?> type, List<String> names) {
        Runner runner = Request.aClass(type).getRunner();
        try {
            new Only(names).apply(runner);
        } catch (NoTestsRemainException e) {
            return; // The agent sees no event, so the scheduler reports them as not run.
        }
        List<String> order = new ArrayList<>(new LinkedHashSet<>(names));
        new Sorter((a, b) -> Integer.compare(position(order, a), position(order, b))).apply(runner);
        repeat(runner, names);
        runner.run(new RunNotifier());
    }

    private static void repeat(Runner runner, List<String> names) {
        if (!(runner instanceof ParentRunner)) {
            return;
        }
        ParentRunner<?> parent = (ParentRunner<?>) runner;
        boolean anyRepeat = new HashSet<>(names).size() < names.size();
        if (parent.getDescription().getChildren().stream().allMatch(Description::isTest)) {
            if (anyRepeat) {
                parent.setScheduler(new Repeats(names, parent.getDescription().getChildren()));
            }
        } else {
            for (Runner child : childRunners(parent)) {
                List<String> own = new ArrayList<>(names);
                own.retainAll(leaves(child.getDescription()));
                repeat(child, own);
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

    private static int position(List<String> order, Description description) {
        int position = Integer.MAX_VALUE;
        for (String leaf : leaves(description)) {
            int index = order.indexOf(leaf);
            if (index >= 0) {
                position = Math.min(position, index);
            }
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

    /** Runs each child as often, and in the order, that the names say. */
    private static final class Repeats implements RunnerScheduler {
        private final List<String> names;
        private final List<Description> children;
        private final List<Runnable> scheduled = new ArrayList<>();

        Repeats(List<String> names, List<Description> children) {
            this.names = names;
            this.children = children;
        }

        @Override
        public void schedule(Runnable child) {
            scheduled.add(child);
        }

        @Override
        public void finished() {
            Map<String, Runnable> byName = new LinkedHashMap<>();
            for (int i = 0; i < scheduled.size() && i < children.size(); i++) {
                byName.put(children.get(i).getDisplayName(), scheduled.get(i));
            }
            for (String name : names) {
                Runnable child = byName.get(name);
                if (child != null) {
                    child.run();
                }
            }
        }
    }
}
