package org.junit.platform.engine.support.descriptor;

public class MethodSource implements org.junit.platform.engine.TestSource {
    public native String getMethodName();
}
