package org.testng.xml;

import java.util.List;

public class XmlClass {
    public XmlClass(String name) {}
    public native void setIncludedMethods(List<XmlInclude> methods);
}
