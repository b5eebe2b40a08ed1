package org.testng.xml;

import java.util.Map;

public class XmlSuite {
    public native String getName();
    public native void setName(String name);
    public native void setParameters(Map<String, String> parameters);
}
