package surefoot.junit;

import java.lang.reflect.Method;
import junit.framework.Test;
import org.junit.internal.runners.JUnit38ClassRunner;
import org.junit.runner.Description;
import org.junit.runner.Runner;

/** What JUnit 4's runner for JUnit 3 tests keeps to itself. */
public final class JUnit38 {
    private JUnit38() {}

    /** The tests that it runs. */
    public static Test test(Runner runner) throws ReflectiveOperationException {
        return (Test) method("getTest").invoke(runner);
    }

    /** How it describes a test. */
    public static Description describe(Test test) throws ReflectiveOperationException {
        return (Description) method("makeDescription", Test.class).invoke(null, test);
    }

    private static Method method(String name, Class<?>... types) throws ReflectiveOperationException {
        Method method = JUnit38ClassRunner.class.getDeclaredMethod(name, types);
        method.setAccessible(true);
        return method;
    }
}
