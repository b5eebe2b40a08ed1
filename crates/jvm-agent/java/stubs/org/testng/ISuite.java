package org.testng;

public interface ISuite {
    org.testng.xml.XmlSuite getXmlSuite();
}
