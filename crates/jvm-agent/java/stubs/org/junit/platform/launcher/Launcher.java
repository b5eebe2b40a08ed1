package org.junit.platform.launcher;

public interface Launcher {
    TestPlan discover(LauncherDiscoveryRequest request);
    void execute(TestPlan plan, TestExecutionListener... listeners);
}
