package org.testng;

public interface ITestNGMethod {
    ITestClass getTestClass();
    String getMethodName();
    void setInvocationCount(int count);
    org.testng.internal.ConstructorOrMethod getConstructorOrMethod();
    Object getInstance();
}
