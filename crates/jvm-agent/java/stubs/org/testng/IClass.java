package org.testng;

public interface IClass {
    String getName();
    Object[] getInstances(boolean create);
}
