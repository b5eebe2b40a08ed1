package org.junit.platform.launcher;

public class TestPlan {
    public native org.junit.platform.engine.ConfigurationParameters getConfigurationParameters();
}
