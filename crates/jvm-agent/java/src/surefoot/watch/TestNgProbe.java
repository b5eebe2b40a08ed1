package surefoot.watch;

import java.lang.ref.Reference;
import java.lang.ref.WeakReference;
import java.util.Arrays;
import java.util.Map;
import java.util.SurefootProbe;
import java.util.TreeMap;
import org.testng.ITestClass;
import org.testng.ITestNGMethod;
import org.testng.ITestResult;
import org.testng.xml.XmlSuite;
import surefoot.testng.Address;

/** Watches TestNG: every event of a test passes TestListenerHelper, its status tells which. */
public final class TestNgProbe extends SurefootProbe {
    private static final int TEST = 0;
    private static final int CONFIGURATION = 1;
    private static final int BEGINS = 2;
    private static final int ENDS = 3;
    private static final int CLASS_BEFORE = 4;
    private static final int CLASS_AFTER = 5;
    private static final int CLASS_AFTER_ENDS = 6;

    /** The last test that lacked its row: some versions tell the end of a test twice. */
    private volatile Reference<ITestResult> without = new WeakReference<>(null);

    /** The class whose set-up has begun and whose tear-down has not ended. */
    private final ThreadLocal<ClassUnderWay> classUnderWay = new ThreadLocal<>();

    @Override
    protected void on(int hook, Object first, Object second) throws ReflectiveOperationException {
        if (hook >= CLASS_BEFORE) {
            if (observes()) {
                classScope(hook, (ITestClass) first);
            }
            return;
        }
        if (hook == BEGINS || hook == ENDS) {
            scope(hook, first);
            return;
        }
        ITestResult result = (ITestResult) first;
        if (!LaunchFacts.taken()) {
            String[] facts = LaunchFacts.once(configuration(result));
            if (facts != null) {
                emit(Kind.VM, facts);
            }
        }
        if (hook == TEST) {
            test(result);
        } else if (hook == CONFIGURATION && result.getStatus() == ITestResult.FAILURE) {
            emit(Kind.CONTAINER_FAILED, seen(result, true).with("FAILED", result.getThrowable()));
        }
    }

    /**
     * TestNG asks for the set-up of the class before each of its methods, and for its tear-down after each; the first and the last
     * time it runs. A suite may mix methods of several classes: then nobody can tell what is by the set-up of which, and no
     * class of that thread is told from then on.
     */
    private void classScope(int hook, ITestClass type) {
        ClassUnderWay underWay = classUnderWay.get();
        if (hook == CLASS_BEFORE && underWay == null) {
            classUnderWay.set(new ClassUnderWay(type));
            emit(Kind.CLASS_BEGINS, "testng", type.getName());
        } else if (hook == CLASS_BEFORE && underWay.type != type) {
            underWay.type = null;
        } else if (hook == CLASS_AFTER && underWay != null && underWay.type == type) {
            underWay.methods--;
        } else if (hook == CLASS_AFTER_ENDS && underWay != null && underWay.type != null && underWay.methods == 0) {
            classUnderWay.remove();
            emit(Kind.CLASS_ENDS, "testng", underWay.type.getName());
        }
    }

    private static final class ClassUnderWay {
        /** Null if methods of another class came in between. */
        ITestClass type;
        /** Those that are not over. */
        int methods;

        ClassUnderWay(ITestClass type) {
            this.type = type;
            this.methods = type.getTestMethods().length;
        }
    }

    /** A run of a test method with what runs before and after each, of which TestNG's listeners are not told. */
    private static void scope(int hook, Object arguments) throws ReflectiveOperationException {
        if (!observes()) {
            return;
        }
        if (hook == BEGINS) {
            share(of(arguments, "getInstance"));
            emit(Kind.SCOPE_BEGINS, ((ITestNGMethod) of(arguments, "getTestMethod")).getTestClass().getName());
        } else {
            emit(Kind.SCOPE_ENDS);
        }
    }

    /** Of the arguments to TestInvoker.invokeMethod, whose class is in another package from version to version. */
    private static Object of(Object arguments, String getter) throws ReflectiveOperationException {
        return arguments.getClass().getMethod(getter).invoke(arguments);
    }

    private void test(ITestResult result) {
        SeenTest seen = seen(result, result.getStatus() != ITestResult.STARTED);
        switch (result.getStatus()) {
            case ITestResult.STARTED:
                emit(Kind.STARTED, seen.with());
                break;
            case ITestResult.SUCCESS:
            case ITestResult.SUCCESS_PERCENTAGE_FAILURE:
                emit(Kind.FINISHED, seen.with("SUCCESSFUL", (Throwable) null));
                break;
            case ITestResult.FAILURE:
                if (lacksItsRow(result) && without.get() != result) {
                    without = new WeakReference<>(result);
                    emit(Kind.STARTED, seen.with());
                }
                emit(Kind.FINISHED, seen.with("FAILED", result.getThrowable()));
                break;
            case ITestResult.SKIP:
                emit(Kind.SKIPPED, seen.with(Thrown.message(result.getThrowable())));
                break;
            default:
                break;
        }
    }

    /** Its data provider failed, so the test fails without having started. */
    private static boolean lacksItsRow(ITestResult result) {
        Object[] parameters = result.getParameters();
        Class<?>[] types = result.getMethod().getConstructorOrMethod().getMethod().getParameterTypes();
        return types.length > 0 && (parameters == null || parameters.length == 0);
    }

    /** What the parameters look like is the user's code, which may be slow: it is asked once, at the end. */
    private static SeenTest seen(ITestResult result, boolean withParameters) {
        Object[] parameters = result.getParameters();
        String display = result.getName();
        if (withParameters && parameters != null && parameters.length > 0) {
            display += Arrays.toString(parameters);
        }
        return new SeenTest(
                "testng",
                Address.of(result),
                result.getMethod().getTestClass().getName(),
                result.getMethod().getMethodName(),
                display,
                null);
    }

    /** The suite's parameters; a worker's suite gets them again. */
    private static Map<String, String> configuration(ITestResult result) {
        Map<String, String> configuration = new TreeMap<>();
        if (result.getTestContext() == null) {
            return configuration;
        }
        XmlSuite suite = result.getTestContext().getSuite().getXmlSuite();
        configuration.put("testng-suite", suite.getName());
        configuration.put("testng-test", result.getTestContext().getName());
        for (Map.Entry<String, String> parameter : result.getTestContext().getCurrentXmlTest().getAllParameters().entrySet()) {
            configuration.put("testng-parameter:" + parameter.getKey(), parameter.getValue());
        }
        return configuration;
    }
}
