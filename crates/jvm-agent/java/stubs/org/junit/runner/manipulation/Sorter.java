package org.junit.runner.manipulation;

public class Sorter {
    public Sorter(java.util.Comparator<org.junit.runner.Description> comparator) {}
    public native void apply(Object target);
}
