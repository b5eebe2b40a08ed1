package surefoot.drive;

import junit.framework.TestResult;
import junit.framework.TestSuite;

/** JUnit 3 has no class-level set-up: each run is a new instance and no more. */
final class JUnit3Suite implements Suite {
    @Override
    public String run(Experiment experiment) throws Exception {
        ClassLoader loader = Thread.currentThread().getContextClassLoader();
        for (String address : experiment.addresses) {
            int open = address.lastIndexOf('(');
            String className = address.substring(open + 1, address.length() - 1);
            Class<?> type = Class.forName(className, true, loader);
            TestSuite.createTest(type, address.substring(0, open)).run(new TestResult());
        }
        return null;
    }
}
