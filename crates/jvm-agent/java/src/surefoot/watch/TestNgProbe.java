package surefoot.watch;

import java.util.Arrays;
import java.util.Map;
import java.util.SurefootProbe;
import java.util.TreeMap;
import org.testng.ITestResult;
import org.testng.xml.XmlSuite;
import surefoot.testng.Address;

/** Watches TestNG: every event of a test passes TestListenerHelper, its status tells which. */
public final class TestNgProbe extends SurefootProbe {
    private static final int TEST = 0;
    private static final int CONFIGURATION = 1;

    @Override
    protected void on(int hook, Object first, Object second) {
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

    private static void test(ITestResult result) {
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
                emit(Kind.FINISHED, seen.with("FAILED", result.getThrowable()));
                break;
            case ITestResult.SKIP:
                emit(Kind.SKIPPED, seen.with(Thrown.message(result.getThrowable())));
                break;
            default:
                break;
        }
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
