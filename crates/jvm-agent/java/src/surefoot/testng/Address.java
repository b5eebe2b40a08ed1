package surefoot.testng;

import java.lang.reflect.Method;
import org.testng.ITestNGMethod;
import org.testng.ITestResult;
import org.testng.internal.IParameterInfo;
import org.testng.internal.TestResult;

/** How a TestNG test is addressed: {@code a.B@1#method(int,java.lang.String)[2]}, the factory's instance and the row optional. */
public final class Address {
    private Address() {}

    public static String of(ITestResult result) {
        Object[] parameters = result.getParameters();
        boolean row = parameters != null && parameters.length > 0 && result instanceof TestResult;
        String method = of(result.getMethod());
        return row ? method + "[" + ((TestResult) result).getParameterIndex() + "]" : method;
    }

    /** Without the row. */
    public static String of(ITestNGMethod method) {
        StringBuilder address = new StringBuilder(method.getTestClass().getName());
        address.append(instance(method));
        address.append('#').append(method.getMethodName()).append('(');
        Method java = method.getConstructorOrMethod().getMethod();
        Class<?>[] types = java.getParameterTypes();
        for (int i = 0; i < types.length; i++) {
            address.append(i == 0 ? "" : ",").append(types[i].getName());
        }
        return address.append(')').toString();
    }

    /** Which instance a factory made, told from TestNG 7.5 on. */
    private static String instance(ITestNGMethod method) {
        try {
            IParameterInfo factory = method.getFactoryMethodParamsInfo();
            return factory == null ? "" : "@" + factory.getIndex();
        } catch (LinkageError older) {
            return "";
        }
    }
}
