package org.testng;

public interface IMethodInstance {
    ITestNGMethod getMethod();
}
