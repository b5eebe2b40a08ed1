package org.testng;

public interface ITestResult {
    int SUCCESS = 1;
    int FAILURE = 2;
    int SKIP = 3;
    int SUCCESS_PERCENTAGE_FAILURE = 4;
    int STARTED = 16;
    int getStatus();
    ITestNGMethod getMethod();
    Object[] getParameters();
    String getName();
    Throwable getThrowable();
    ITestContext getTestContext();
}
