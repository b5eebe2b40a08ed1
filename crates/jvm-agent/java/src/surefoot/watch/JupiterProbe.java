package surefoot.watch;

import java.util.SurefootProbe;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.TestInstances;
import org.junit.platform.engine.TestDescriptor;

/**
 * Watches which object Jupiter runs a test on: with PER_CLASS, all tests of a class share one. And the points that a test
 * method passes on its way.
 */
public final class JupiterProbe extends SurefootProbe {
    private static final int INSTANCES = 0;

    @Override
    protected void on(int hook, Object first, Object second) {
        if (!observes()) {
            return;
        }
        if (hook == INSTANCES) {
            runsOn(first, second);
        } else if (first == null || ((TestDescriptor) first).isTest()) {
            // A method that makes tests is none itself; where that ends, no test is under way.
            point(hook);
        }
    }

    private static void runsOn(Object first, Object second) {
        Object lifecycle = ((ExtensionContext) first).getTestInstanceLifecycle().orElse(null);
        boolean isShared = String.valueOf(lifecycle).equals("PER_CLASS") && second != null;
        share(isShared ? ((TestInstances) second).getInnermostInstance() : null);
    }
}
