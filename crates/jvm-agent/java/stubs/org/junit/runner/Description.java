package org.junit.runner;

public class Description {
    public native String getDisplayName();
    public native String getClassName();
    public native String getMethodName();
    public native Class<?> getTestClass();
    public native boolean isSuite();
    public native boolean isTest();
    public native java.util.ArrayList<Description> getChildren();
    public native <T extends java.lang.annotation.Annotation> T getAnnotation(Class<T> type);
}
