package org.testng.internal;

public interface IParameterInfo {
    int getIndex();
}
