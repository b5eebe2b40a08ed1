package surefoot.watch;

import java.lang.reflect.Field;
import java.util.Collections;
import java.util.Map;
import java.util.Optional;
import java.util.SurefootProbe;
import java.util.TreeMap;
import org.junit.platform.engine.ConfigurationParameters;
import org.junit.platform.engine.TestDescriptor;
import org.junit.platform.engine.TestExecutionResult;
import org.junit.platform.engine.TestSource;
import org.junit.platform.engine.support.descriptor.ClassSource;
import org.junit.platform.engine.support.descriptor.MethodSource;
import org.junit.platform.launcher.TestPlan;

/** Watches the JUnit Platform: every event of every engine passes its launcher's ExecutionListenerAdapter. */
public final class PlatformProbe extends SurefootProbe {
    private static final int STARTED = 0;
    private static final int SKIPPED = 1;
    private static final int FINISHED = 2;

    @Override
    protected void on(int hook, Object first, Object second) {
        String[] facts = LaunchFacts.taken() ? null : LaunchFacts.once(configuration(hook == STARTED ? second : null));
        if (facts != null) {
            emit(Kind.VM, facts);
        }
        TestDescriptor descriptor = (TestDescriptor) first;
        String address = descriptor.getUniqueId().toString();
        if (address.contains("[engine:junit-vintage]")) {
            return; // JUnit 4's own events tell the same, and more.
        }
        switch (hook) {
            case STARTED:
                if (descriptor.isTest()) {
                    emit(Kind.STARTED, seen(descriptor, address).with());
                    if (isDynamic(address)) {
                        point(BEFORE_CONSTRUCTION);
                        point(BEFORE_SETUP);
                        point(AFTER_SETUP);
                    }
                } else {
                    classScope(Kind.CLASS_BEGINS, descriptor);
                }
                break;
            case SKIPPED:
                skipped(descriptor, address, (String) second);
                break;
            case FINISHED:
                finished(descriptor, address, (TestExecutionResult) second);
                break;
            default:
                break;
        }
    }

    private static void finished(TestDescriptor descriptor, String address, TestExecutionResult result) {
        if (!descriptor.isTest()) {
            classScope(Kind.CLASS_ENDS, descriptor);
        }
        Throwable thrown = result.getThrowable().orElse(null);
        String status = result.getStatus().name();
        if (descriptor.isTest()) {
            if (isDynamic(address)) {
                point(BEFORE_TEARDOWN);
            }
            emit(Kind.FINISHED, seen(descriptor, address).with(status, thrown));
        } else if (status.equals("FAILED")) {
            emit(Kind.CONTAINER_FAILED, seen(descriptor, address).with(status, thrown));
        }
    }

    /** Made by a method: it has no object, no set-up and no tear-down of its own. */
    private static boolean isDynamic(String address) {
        return address.contains("/[dynamic-test:");
    }

    /** A class, with its set-up and tear-down. */
    private static void classScope(int kind, TestDescriptor descriptor) {
        if (observes() && source(descriptor) instanceof ClassSource) {
            emit(kind, "junit-platform", ((ClassSource) source(descriptor)).getClassName());
        }
    }

    /** A class that is skipped has tests that are skipped, and a method that makes tests counts as one. */
    private static void skipped(TestDescriptor descriptor, String address, String reason) {
        boolean method = source(descriptor) instanceof MethodSource;
        if (descriptor.isTest() || method) {
            emit(Kind.SKIPPED, seen(descriptor, address).with(reason));
        } else {
            for (TestDescriptor child : descriptor.getChildren()) {
                skipped(child, child.getUniqueId().toString(), reason);
            }
        }
    }

    private static SeenTest seen(TestDescriptor descriptor, String address) {
        String className = "";
        String method = null;
        for (TestDescriptor node = descriptor; node != null && className.isEmpty(); node = parent(node)) {
            TestSource source = source(node);
            if (source instanceof MethodSource && method == null) {
                method = ((MethodSource) source).getMethodName();
            } else if (source instanceof ClassSource) {
                className = ((ClassSource) source).getClassName();
            }
        }
        return new SeenTest(
                "junit-platform", address, className, method, descriptor.getDisplayName(), descriptor.getLegacyReportingName());
    }

    private static TestSource source(TestDescriptor descriptor) {
        Optional<TestSource> source = descriptor.getSource();
        return source.orElse(null);
    }

    private static TestDescriptor parent(TestDescriptor descriptor) {
        Optional<TestDescriptor> parent = descriptor.getParent();
        return parent.orElse(null);
    }

    /** What the build tool passed to the launcher; a worker passes it again. Told from Platform 1.9 on. */
    private static Map<String, String> configuration(Object adapter) {
        Map<String, String> configuration = new TreeMap<>();
        if (adapter == null) {
            return configuration;
        }
        try {
            Field field = adapter.getClass().getDeclaredField("testPlan");
            field.setAccessible(true);
            ConfigurationParameters parameters = ((TestPlan) field.get(adapter)).getConfigurationParameters();
            for (String key : parameters.keySet()) {
                String value = parameters.get(key).orElse(null);
                // System properties are parameters too, but a worker has them anyway.
                if (value != null && !value.equals(System.getProperty(key))) {
                    configuration.put("junit-platform:" + key, value);
                }
            }
        } catch (ReflectiveOperationException | LinkageError e) {
            return Collections.emptyMap();
        }
        return configuration;
    }
}
