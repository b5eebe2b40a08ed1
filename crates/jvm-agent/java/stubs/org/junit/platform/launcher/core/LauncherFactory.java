package org.junit.platform.launcher.core;

public class LauncherFactory {
    public static native org.junit.platform.launcher.Launcher create();
}
