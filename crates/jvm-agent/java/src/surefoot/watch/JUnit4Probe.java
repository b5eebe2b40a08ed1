package surefoot.watch;

import java.util.Collections;
import java.util.HashSet;
import java.util.Set;
import java.util.SurefootProbe;
import org.junit.runner.Description;
import org.junit.runner.Runner;
import org.junit.runner.notification.Failure;

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
    private static final int RUNNER = 5;

    private final ThreadLocal<Root> root = new ThreadLocal<>();

    @Override
    protected void on(int hook, Object first, Object second) {
        String[] facts = LaunchFacts.taken() ? null : LaunchFacts.once(Collections.emptyMap());
        if (facts != null) {
            emit(Kind.VM, facts);
        }
        switch (hook) {
            case RUNNER:
                runnerStarts((Runner) first);
                break;
            case STARTED:
                emit(Kind.STARTED, seen((Description) first).with());
                break;
            case FINISHED:
                emit(Kind.FINISHED, seen((Description) first).with("SO_FAR", (Throwable) null));
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

    private void failed(int kind, Failure failure) {
        Description description = failure.getDescription();
        SeenTest seen = seen(description);
        if (description.isSuite()) {
            // Nothing can be said of an assumption about a whole class but that its tests did not run.
            if (kind == Kind.FAILED_SO_FAR) {
                emit(Kind.CONTAINER_FAILED, seen.with("FAILED", failure.getException()));
            } else {
                emit(Kind.SKIPPED, seen.with(Thrown.message(failure.getException())));
            }
        } else {
            emit(kind, seen.with("SO_FAR", failure.getException()));
        }
    }

    private void ignored(Description description) {
        org.junit.Ignore reason = description.getAnnotation(org.junit.Ignore.class);
        emit(Kind.SKIPPED, seen(description).with(reason == null ? null : reason.value()));
    }

    private SeenTest seen(Description description) {
        String display = description.getDisplayName();
        String className = description.getClassName();
        Root around = root.get();
        String address = around == null ? display : around.address(description, className);
        String method = description.isSuite() ? null : description.getMethodName();
        return new SeenTest("junit4", address, className, method, display, null);
    }

    private void runnerStarts(Runner runner) {
        Root around = root.get();
        Description description = runner.getDescription();
        if (around == null || !around.contains(description)) {
            root.set(new Root(description));
        }
    }

    /** The outermost runner of the thread that is about a class. */
    private static final class Root {
        private final String className;
        private final Set<Description> below = new HashSet<>();

        Root(Description description) {
            className = description.getTestClass() == null ? null : description.getClassName();
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
