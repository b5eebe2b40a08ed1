package surefoot.testng;

import java.lang.reflect.Method;
import org.testng.ITestNGMethod;
import org.testng.ITestResult;
import org.testng.internal.IParameterInfo;
import org.testng.internal.TestResult;

/** How a TestNG test is addressed: {@code a.B@1#method(int,java.lang.String)[2]}, the factory's instance and the row optional. */
public final class Address {
    /** The method that was last asked for: the rows of its data provider come one after the other. */
    private static volatile Address last = new Address(null, null);

    private final ITestNGMethod method;
    private final String text;

    private Address(ITestNGMethod method, String text) {
        this.method = method;
        this.text = text;
    }

    public static String of(ITestResult result) {
        Object[] parameters = result.getParameters();
        boolean row = parameters != null && parameters.length > 0 && result instanceof TestResult;
        Address known = last;
        if (known.method != result.getMethod()) {
            known = new Address(result.getMethod(), of(result.getMethod()));
            last = known;
        }
        String method = known.text;
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

    /** Which instance, if a factory made several. */
    private static String instance(ITestNGMethod method) {
        Object[] instances = method.getTestClass().getInstances(false);
        for (int i = 0; instances.length > 1 && i < instances.length; i++) {
            Object made = instances[i];
            Object instance = made instanceof IParameterInfo ? ((IParameterInfo) made).getInstance() : made;
            if (instance == method.getInstance()) {
                return "@" + i;
            }
        }
        return "";
    }
}
