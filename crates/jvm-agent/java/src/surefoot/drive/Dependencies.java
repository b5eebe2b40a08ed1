package surefoot.drive;

import java.lang.reflect.AnnotatedElement;
import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.regex.PatternSyntaxException;
import org.testng.annotations.Test;

/**
 * Which methods of TestNG wait for others that are not there. TestNG would refuse to run any method beside them.
 *
 * <p>In doubt a method counts as complete: then TestNG says what is wrong.
 */
final class Dependencies {
    private final ClassLoader loader;

    Dependencies(ClassLoader loader) {
        this.loader = loader;
    }

    /** Of methods by their addresses without row, those that lack something; also those that depend on such. */
    Set<String> incomplete(Collection<String> addresses) throws ClassNotFoundException {
        List<Candidate> left = new ArrayList<>();
        for (String address : addresses) {
            left.add(new Candidate(address));
        }
        Set<String> incomplete = new LinkedHashSet<>();
        for (Candidate found = lacking(left); found != null; found = lacking(left)) {
            left.remove(found);
            incomplete.add(found.address);
        }
        return incomplete;
    }

    private static Candidate lacking(List<Candidate> candidates) {
        for (Candidate candidate : candidates) {
            if (candidate.lacksAny(candidates)) {
                return candidate;
            }
        }
        return null;
    }

    private final class Candidate {
        private final String address;
        private final String className;
        private final String method;
        private final Set<String> groups = new LinkedHashSet<>();
        private final Set<String> neededMethods = new LinkedHashSet<>();
        private final Set<String> neededGroups = new LinkedHashSet<>();

        Candidate(String address) throws ClassNotFoundException {
            this.address = address;
            className = TestNgSuite.className(address);
            method = TestNgSuite.methodName(address);
            for (Class<?> type = Class.forName(className, false, loader); type != null; type = type.getSuperclass()) {
                read(type);
                for (Method one : type.getDeclaredMethods()) {
                    if (one.getName().equals(method)) {
                        read(one);
                    }
                }
            }
        }

        private void read(AnnotatedElement element) {
            Test test = element.getAnnotation(Test.class);
            if (test == null) {
                return;
            }
            groups.addAll(Arrays.asList(test.groups()));
            if (!test.ignoreMissingDependencies()) {
                neededMethods.addAll(Arrays.asList(test.dependsOnMethods()));
                neededGroups.addAll(Arrays.asList(test.dependsOnGroups()));
            }
        }

        boolean lacksAny(List<Candidate> there) {
            for (String needed : neededMethods) {
                if (!anyIsCalled(needed, there)) {
                    return true;
                }
            }
            for (String needed : neededGroups) {
                if (!anyIsIn(needed, there)) {
                    return true;
                }
            }
            return false;
        }

        private boolean anyIsCalled(String needed, List<Candidate> there) {
            for (Candidate other : there) {
                if (needed.endsWith("." + other.method)
                        || matches(needed, other.method)
                        || matches(needed, other.className + "." + other.method)) {
                    return true;
                }
            }
            return false;
        }

        private boolean anyIsIn(String needed, List<Candidate> there) {
            for (Candidate other : there) {
                for (String group : other.groups) {
                    if (matches(needed, group)) {
                        return true;
                    }
                }
            }
            return false;
        }
    }

    /** TestNG takes names for regular expressions. */
    private static boolean matches(String needed, String name) {
        try {
            return needed.equals(name) || Pattern.matches(needed, name);
        } catch (PatternSyntaxException e) {
            return true;
        }
    }
}
