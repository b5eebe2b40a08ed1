package org.junit.runner.manipulation;

public abstract class Filter {
    public abstract boolean shouldRun(org.junit.runner.Description description);
    public abstract String describe();
    public native void apply(Object child) throws NoTestsRemainException;
}
