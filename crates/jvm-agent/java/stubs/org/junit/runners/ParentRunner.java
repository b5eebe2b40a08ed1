package org.junit.runners;

import java.util.List;

public abstract class ParentRunner<T> extends org.junit.runner.Runner {
    protected abstract List<T> getChildren();
    public native void setScheduler(org.junit.runners.model.RunnerScheduler scheduler);
}
