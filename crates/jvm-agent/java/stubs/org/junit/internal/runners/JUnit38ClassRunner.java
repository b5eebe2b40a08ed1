package org.junit.internal.runners;

public class JUnit38ClassRunner extends org.junit.runner.Runner {
    public JUnit38ClassRunner(junit.framework.Test test) {}
    public native org.junit.runner.Description getDescription();
    public native void run(org.junit.runner.notification.RunNotifier notifier);
}
