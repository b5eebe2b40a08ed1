package org.testng;

public interface ITestNGMethod {
    Class<?> getRealClass();
    String getMethodName();
    void setInvocationCount(int count);
    org.testng.internal.ConstructorOrMethod getConstructorOrMethod();
    org.testng.internal.IParameterInfo getFactoryMethodParamsInfo();
}
