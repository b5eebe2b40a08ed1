package org.testng;

import java.util.List;

public class TestNG {
    public TestNG(boolean useDefaultListeners) {}
    public native void setXmlSuites(List<org.testng.xml.XmlSuite> suites);
    public native void addListener(ITestNGListener listener);
    public native void setVerbose(int verbose);
    public native void run();
}
