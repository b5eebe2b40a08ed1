package surefoot.drive;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.platform.engine.FilterResult;
import org.junit.platform.engine.TestDescriptor;
import org.junit.platform.engine.discovery.DiscoverySelectors;
import org.junit.platform.engine.discovery.UniqueIdSelector;
import org.junit.platform.launcher.Launcher;
import org.junit.platform.launcher.LauncherDiscoveryRequest;
import org.junit.platform.launcher.PostDiscoveryFilter;
import org.junit.platform.launcher.TestExecutionListener;
import org.junit.platform.launcher.TestPlan;
import org.junit.platform.launcher.core.LauncherDiscoveryRequestBuilder;
import org.junit.platform.launcher.core.LauncherFactory;

/**
 * Runs tests of the JUnit Platform's engines in a given order, with repeats.
 *
 * <p>The launcher discovers the tests; a filter that lets everything pass gets hold of the engines' own descriptors. Once
 * the launcher says that it is about to execute them, they are put in the order of the experiment (see {@link Occurrence}).
 * That moment exists in every version; Surefire 2.22 brings a launcher that cannot execute what it discovered before.
 */
final class PlatformSuite implements Suite {
    private final Launcher launcher = LauncherFactory.create();
    private Map<String, String> configuration;

    @Override
    public String run(Experiment experiment) {
        configuration = experiment.configuration;
        Discovery discovery = new Discovery();
        RuntimeException[] failure = new RuntimeException[1];
        TestExecutionListener arranger =
                new TestExecutionListener() {
                    @Override
                    public void testPlanExecutionStarted(TestPlan plan) {
                        try {
                            Occurrence root = Occurrence.tree(experiment, discovery.descriptors.keySet(), making(experiment));
                            new Arrangement(PlatformSuite.this, discovery).arrange(root);
                        } catch (RuntimeException e) {
                            failure[0] = e;
                            discovery.clear();
                        }
                    }
                };
        launcher.execute(request(selected(experiment), discovery), arranger);
        if (failure[0] != null) {
            throw failure[0];
        }
        return null;
    }

    /** Engines search what is selected for each test that they make: thousands one by one would take them minutes. */
    private static List<String> selected(Experiment experiment) {
        List<String> selected = new ArrayList<>();
        for (String address : experiment.addresses) {
            String maker = Making.maker(address);
            selected.add(experiment.whole.contains(maker) ? maker : address);
        }
        return selected;
    }

    private Making making(Experiment experiment) {
        Set<String> classTemplates = new LinkedHashSet<>();
        for (String address : experiment.addresses) {
            String maker = Making.maker(address);
            if (!maker.equals(address) && Making.isClassTemplate(maker)) {
                classTemplates.add(maker);
            }
        }
        return new Making(
                classTemplates.isEmpty() ? Collections.<String>emptySet() : discover(classTemplates).descriptors.keySet());
    }

    Discovery discover(Collection<String> uniqueIds) {
        Discovery discovery = new Discovery();
        launcher.discover(request(uniqueIds, discovery));
        return discovery;
    }

    private LauncherDiscoveryRequest request(Collection<String> uniqueIds, Discovery discovery) {
        List<UniqueIdSelector> selectors = new ArrayList<>();
        for (String uniqueId : new LinkedHashSet<>(uniqueIds)) {
            selectors.add(DiscoverySelectors.selectUniqueId(uniqueId));
        }
        LauncherDiscoveryRequestBuilder request = LauncherDiscoveryRequestBuilder.request();
        for (Map.Entry<String, String> parameter : configuration.entrySet()) {
            if (parameter.getKey().startsWith("junit-platform:")) {
                request.configurationParameter(
                        parameter.getKey().substring("junit-platform:".length()), parameter.getValue());
            }
        }
        // One test at a time: an experiment is an order.
        request.configurationParameter("junit.jupiter.execution.parallel.enabled", "false");
        return request.selectors(selectors).filters(discovery).build();
    }

    /** What one discovery found: the engines' descriptors by unique id, roots included. */
    static final class Discovery implements PostDiscoveryFilter {
        final Map<String, TestDescriptor> descriptors = new LinkedHashMap<>();

        @Override
        public FilterResult apply(TestDescriptor descriptor) {
            for (TestDescriptor node = descriptor; node != null; node = node.getParent().orElse(null)) {
                descriptors.put(node.getUniqueId().toString(), node);
            }
            return FilterResult.included("part of the experiment");
        }

        /** Better no test than the wrong one. */
        private void clear() {
            for (TestDescriptor node : descriptors.values()) {
                for (TestDescriptor child : new ArrayList<TestDescriptor>(node.getChildren())) {
                    node.removeChild(child);
                }
            }
        }
    }
}
