package org.testng.internal;

public class ConstructorOrMethod {
    public native java.lang.reflect.Method getMethod();
}
