package surefoot.watch;

import java.util.ArrayDeque;
import java.util.Collections;
import java.util.Deque;
import java.util.HashSet;
import java.util.Set;
import java.util.SurefootProbe;
import junit.extensions.TestDecorator;
import junit.framework.Test;
import junit.framework.TestCase;
import junit.framework.TestSuite;

/** Watches JUnit 3 where it runs by itself; below JUnit 4's adapter, JUnit 4's events tell the same. */
public final class JUnit3Probe extends SurefootProbe {
    private static final int STARTED = 0;
    private static final int FINISHED = 1;
    private static final int FAILURE = 2;
    private static final int SET_UP = 3;
    private static final int SET_UP_ENDS = 4;

    /** The classes whose set-ups a thread is in; an empty name for one around several classes. */
    private final ThreadLocal<Deque<String>> setUps = ThreadLocal.withInitial(ArrayDeque::new);

    @Override
    protected void on(int hook, Object first, Object second) {
        if (hook >= BEFORE_SETUP) {
            point(hook);
            return;
        }
        if (hook == STARTED && adapted()) {
            return;
        }
        String[] facts = LaunchFacts.taken() ? null : LaunchFacts.once(Collections.emptyMap());
        if (facts != null) {
            emit(Kind.VM, facts);
        }
        switch (hook) {
            case STARTED:
                emit(Kind.STARTED, seen((Test) first).with());
                break;
            case FINISHED:
                emit(Kind.FINISHED, seen((Test) first).with("SO_FAR", (Throwable) null));
                break;
            case FAILURE:
                emit(Kind.FAILED_SO_FAR, seen((Test) first).with("SO_FAR", (Throwable) second));
                break;
            case SET_UP:
                setUpBegins((Test) first);
                break;
            case SET_UP_ENDS:
                setUpEnds();
                break;
            default:
                break;
        }
    }

    /** A TestSetup around the tests of one class is the set-up of that class; of several inside each other, the outermost. */
    private void setUpBegins(Test around) {
        Set<String> classes = new HashSet<>();
        if (observes()) {
            collect(around, classes);
        }
        String className = classes.size() == 1 ? classes.iterator().next() : "";
        if (!className.isEmpty() && !setUps.get().contains(className)) {
            emit(Kind.CLASS_BEGINS, "junit3", className);
        }
        setUps.get().push(className);
    }

    private void setUpEnds() {
        String className = setUps.get().pop();
        if (!className.isEmpty() && !setUps.get().contains(className)) {
            emit(Kind.CLASS_ENDS, "junit3", className);
        }
    }

    private static void collect(Test test, Set<String> classes) {
        if (test instanceof TestDecorator) {
            collect(((TestDecorator) test).getTest(), classes);
        } else if (test instanceof TestSuite) {
            TestSuite suite = (TestSuite) test;
            for (int i = 0; i < suite.testCount(); i++) {
                collect(suite.testAt(i), classes);
            }
        } else {
            classes.add(test.getClass().getName());
        }
    }

    private static boolean adapted() {
        for (StackTraceElement frame : new Throwable().getStackTrace()) {
            if (frame.getClassName().equals("org.junit.internal.runners.JUnit38ClassRunner")) {
                return true;
            }
        }
        return false;
    }

    private static SeenTest seen(Test test) {
        String className = test.getClass().getName();
        String method = test instanceof TestCase ? ((TestCase) test).getName() : null;
        String address = method == null ? className : method + "(" + className + ")";
        return new SeenTest("junit3", address, className, method, String.valueOf(test), null);
    }
}
