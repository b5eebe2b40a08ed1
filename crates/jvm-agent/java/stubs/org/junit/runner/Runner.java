package org.junit.runner;

public abstract class Runner {
    public abstract Description getDescription();
    public abstract void run(org.junit.runner.notification.RunNotifier notifier);
}
