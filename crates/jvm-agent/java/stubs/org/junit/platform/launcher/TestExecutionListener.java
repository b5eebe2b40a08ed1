package org.junit.platform.launcher;

public interface TestExecutionListener {}
