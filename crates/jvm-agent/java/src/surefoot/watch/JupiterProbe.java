package surefoot.watch;

import java.util.SurefootProbe;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.TestInstances;

/** Watches which object Jupiter runs a test on: with PER_CLASS, all tests of a class share one. */
public final class JupiterProbe extends SurefootProbe {
    @Override
    protected void on(int hook, Object first, Object second) {
        if (!observes()) {
            return;
        }
        Object lifecycle = ((ExtensionContext) first).getTestInstanceLifecycle().orElse(null);
        boolean isShared = String.valueOf(lifecycle).equals("PER_CLASS") && second != null;
        share(isShared ? ((TestInstances) second).getInnermostInstance() : null);
    }
}
