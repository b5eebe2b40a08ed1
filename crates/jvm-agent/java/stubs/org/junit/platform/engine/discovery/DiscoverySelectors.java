package org.junit.platform.engine.discovery;

public class DiscoverySelectors {
    public static native org.junit.platform.engine.discovery.UniqueIdSelector selectUniqueId(String uniqueId);
}
