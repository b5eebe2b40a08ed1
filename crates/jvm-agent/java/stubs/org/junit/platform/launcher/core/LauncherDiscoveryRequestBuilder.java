package org.junit.platform.launcher.core;

import java.util.List;

public final class LauncherDiscoveryRequestBuilder {
    public static native LauncherDiscoveryRequestBuilder request();
    public native LauncherDiscoveryRequestBuilder selectors(List<? extends org.junit.platform.engine.DiscoverySelector> selectors);
    public native LauncherDiscoveryRequestBuilder filters(org.junit.platform.engine.Filter<?>... filters);
    public native LauncherDiscoveryRequestBuilder configurationParameter(String key, String value);
    public native org.junit.platform.launcher.LauncherDiscoveryRequest build();
}
