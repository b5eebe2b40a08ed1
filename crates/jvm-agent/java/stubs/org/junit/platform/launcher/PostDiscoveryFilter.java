package org.junit.platform.launcher;

public interface PostDiscoveryFilter
        extends org.junit.platform.engine.Filter<org.junit.platform.engine.TestDescriptor> {}
