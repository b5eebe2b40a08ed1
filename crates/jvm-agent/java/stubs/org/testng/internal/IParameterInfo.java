package org.testng.internal;

public interface IParameterInfo {
    Object getInstance();
}
