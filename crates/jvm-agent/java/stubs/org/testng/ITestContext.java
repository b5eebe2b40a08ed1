package org.testng;

public interface ITestContext {
    String getName();
    ISuite getSuite();
    org.testng.xml.XmlTest getCurrentXmlTest();
}
