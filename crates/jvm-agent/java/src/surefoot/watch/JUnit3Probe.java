package surefoot.watch;

import java.util.Collections;
import java.util.SurefootProbe;
import junit.framework.Test;
import junit.framework.TestCase;

/** Watches JUnit 3 where it runs by itself; below JUnit 4's adapter, JUnit 4's events tell the same. */
public final class JUnit3Probe extends SurefootProbe {
    private static final int STARTED = 0;
    private static final int FINISHED = 1;
    private static final int FAILURE = 2;

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
        SeenTest seen = seen((Test) first);
        switch (hook) {
            case STARTED:
                emit(Kind.STARTED, seen.with());
                break;
            case FINISHED:
                emit(Kind.FINISHED, seen.with("SO_FAR", (Throwable) null));
                break;
            case FAILURE:
                emit(Kind.FAILED_SO_FAR, seen.with("SO_FAR", (Throwable) second));
                break;
            default:
                break;
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
