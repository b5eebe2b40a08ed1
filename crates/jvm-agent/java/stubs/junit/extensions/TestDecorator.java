package junit.extensions;

import junit.framework.Test;
import junit.framework.TestResult;

public class TestDecorator implements Test {
    public native Test getTest();
    public native void run(TestResult result);
}
