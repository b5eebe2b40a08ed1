package org.testng;

public interface ITestNGListener {}
