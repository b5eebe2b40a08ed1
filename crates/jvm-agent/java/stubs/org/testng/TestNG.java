package org.testng;

import java.util.List;

public class TestNG {
    public TestNG(boolean useDefaultListeners) {}
    @SuppressWarnings("rawtypes")
    public native void configure(java.util.Map options);
    public native void setXmlSuites(List<org.testng.xml.XmlSuite> suites);
    public native void addListener(ITestNGListener listener);
    public native void setVerbose(int verbose);
    public native void run();
}
