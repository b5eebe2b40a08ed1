package org.testng.internal;

public class TestResult implements org.testng.ITestResult {
    public native int getParameterIndex();
    public native int getStatus();
    public native org.testng.ITestNGMethod getMethod();
    public native Object[] getParameters();
    public native String getName();
    public native Throwable getThrowable();
    public native org.testng.ITestContext getTestContext();
}
