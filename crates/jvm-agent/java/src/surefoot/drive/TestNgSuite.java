package surefoot.drive;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.testng.IMethodInstance;
import org.testng.IMethodInterceptor;
import org.testng.ITestContext;
import org.testng.TestNG;
import org.testng.xml.XmlClass;
import org.testng.xml.XmlInclude;
import org.testng.xml.XmlSuite;
import org.testng.xml.XmlTest;
import surefoot.testng.Address;

/**
 * Runs TestNG tests as one suite of one or more {@code <test>}s.
 *
 * <p>TestNG runs a method again within one class-level set-up only as `invocationCount` does: all wanted rows of its data
 * provider, then all of them again. An order that is not of that form goes on in another {@code <test>}, with a class-level
 * set-up of its own.
 */
final class TestNgSuite implements Suite {
    @Override
    public String run(Experiment experiment) throws Exception {
        Map<String, String> configuration = experiment.configuration;
        XmlSuite suite = new XmlSuite();
        suite.setName(configuration.getOrDefault("testng-suite", "Surefire suite"));
        Map<String, String> parameters = new LinkedHashMap<>();
        for (Map.Entry<String, String> entry : configuration.entrySet()) {
            if (entry.getKey().startsWith("testng-parameter:")) {
                parameters.put(entry.getKey().substring("testng-parameter:".length()), entry.getValue());
            }
        }
        suite.setParameters(parameters);
        String testName = configuration.getOrDefault("testng-test", "Surefire test");
        Map<String, Segment> segments = new LinkedHashMap<>();
        Dependencies dependencies = new Dependencies(Thread.currentThread().getContextClassLoader());
        Set<String> incomplete = new LinkedHashSet<>();
        for (Segment segment : Segment.cut(experiment.addresses, experiment.setupPerRun)) {
            Set<String> alone = dependencies.incomplete(segment.methods.keySet());
            incomplete.addAll(alone);
            segment.methods.keySet().removeAll(alone);
            if (segment.methods.isEmpty()) {
                continue;
            }
            String name = segments.isEmpty() ? testName : testName + " (" + (segments.size() + 1) + ")";
            segments.put(name, segment);
            XmlTest test = new XmlTest(suite);
            test.setName(name);
            test.setXmlClasses(segment.classes());
        }
        if (!segments.isEmpty()) {
            run(suite, segments);
        }
        return incomplete.isEmpty() ? null : "TestNG runs a test only beside those that it depends on, which are not all part of this: " + incomplete;
    }

    private static void run(XmlSuite suite, Map<String, Segment> segments) {
        TestNG testng = new TestNG(false);
        // As Surefire and TestNG's own main do; with it, a test whose data provider fails does not count as skipped.
        // TestNG's own listeners write reports below test-output: that is for the build to do.
        testng.configure(Collections.singletonMap("-usedefaultlisteners", "false"));
        testng.setVerbose(0);
        testng.setXmlSuites(Arrays.asList(suite));
        testng.addListener(new Order(segments));
        testng.run();
    }

    /** Runs that one {@code <test>} can hold: per method how often, and which rows. */
    private static final class Segment {
        /** By address without row, in order of first appearance. */
        private final Map<String, Wanted> methods = new LinkedHashMap<>();

        static List<Segment> cut(List<String> addresses, boolean setupPerRun) {
            List<Segment> segments = new ArrayList<>();
            Segment current = new Segment();
            String previous = null;
            for (String address : addresses) {
                String method = withoutRow(address);
                boolean fits = current.methods.isEmpty() || (!setupPerRun && current.fits(method, previous, row(address)));
                if (!fits) {
                    segments.add(current);
                    current = new Segment();
                }
                current.methods.computeIfAbsent(method, m -> new Wanted()).add(row(address));
                previous = method;
            }
            if (!current.methods.isEmpty()) {
                segments.add(current);
            }
            return segments;
        }

        private boolean fits(String method, String previous, int row) {
            Wanted wanted = methods.get(method);
            if (wanted == null) {
                return true;
            }
            return method.equals(previous) && wanted.fits(row);
        }

        List<XmlClass> classes() {
            Map<String, Map<String, Set<Integer>>> rowsByClass = new LinkedHashMap<>();
            for (Map.Entry<String, Wanted> entry : methods.entrySet()) {
                String address = entry.getKey();
                Set<Integer> rows =
                        rowsByClass
                                .computeIfAbsent(className(address), c -> new LinkedHashMap<>())
                                .computeIfAbsent(methodName(address), m -> new LinkedHashSet<>());
                rows.addAll(entry.getValue().rows());
            }
            List<XmlClass> classes = new ArrayList<>();
            for (Map.Entry<String, Map<String, Set<Integer>>> entry : rowsByClass.entrySet()) {
                List<XmlInclude> includes = new ArrayList<>();
                for (Map.Entry<String, Set<Integer>> method : entry.getValue().entrySet()) {
                    includes.add(new XmlInclude(method.getKey(), new ArrayList<>(method.getValue()), includes.size()));
                }
                XmlClass xmlClass = new XmlClass(entry.getKey());
                xmlClass.setIncludedMethods(includes);
                classes.add(xmlClass);
            }
            return classes;
        }
    }

    /** The runs of one method: rows of its data provider (-1 for a method without), one round after the other. */
    private static final class Wanted {
        private final List<Integer> firstRound = new ArrayList<>();
        private int runs;

        void add(int row) {
            if (extendsFirstRound(row)) {
                firstRound.add(row);
            }
            runs++;
        }

        /** Rows go up within a round, and each round is the same as the first. */
        boolean fits(int row) {
            return extendsFirstRound(row) || row == firstRound.get(runs % firstRound.size());
        }

        private boolean extendsFirstRound(int row) {
            return runs == firstRound.size() && (runs == 0 || row > firstRound.get(runs - 1));
        }

        int rounds() {
            return (runs + firstRound.size() - 1) / firstRound.size();
        }

        /** None for a method without a data provider. */
        List<Integer> rows() {
            return firstRound.get(0) < 0 ? Collections.<Integer>emptyList() : firstRound;
        }
    }

    /** Without the number of a factory's instance. */
    static String className(String address) {
        String owner = address.substring(0, address.indexOf('#'));
        int instance = owner.indexOf('@');
        return instance < 0 ? owner : owner.substring(0, instance);
    }

    static String methodName(String address) {
        return address.substring(address.indexOf('#') + 1, address.indexOf('('));
    }

    private static String withoutRow(String address) {
        int close = address.lastIndexOf(')');
        return address.substring(0, close + 1);
    }

    private static int row(String address) {
        int open = address.lastIndexOf(")[");
        return open < 0 ? -1 : Integer.parseInt(address.substring(open + 2, address.length() - 1));
    }

    /** Keeps only what was asked for, in its order. */
    private static final class Order implements IMethodInterceptor {
        private final Map<String, Segment> segments;

        Order(Map<String, Segment> segments) {
            this.segments = segments;
        }

        @Override
        public List<IMethodInstance> intercept(List<IMethodInstance> methods, ITestContext context) {
            Segment segment = segments.get(context.getName());
            if (segment == null) {
                return methods;
            }
            Map<String, IMethodInstance> found = new LinkedHashMap<>();
            for (IMethodInstance instance : methods) {
                found.put(Address.of(instance.getMethod()), instance);
            }
            List<IMethodInstance> ordered = new ArrayList<>();
            for (Map.Entry<String, Wanted> entry : segment.methods.entrySet()) {
                IMethodInstance instance = found.get(entry.getKey());
                if (instance != null) {
                    instance.getMethod().setInvocationCount(entry.getValue().rounds());
                    ordered.add(instance);
                }
            }
            return ordered;
        }
    }
}
