package org.junit.platform.launcher;

public interface TestExecutionListener {
    default void testPlanExecutionStarted(TestPlan plan) {}
}
