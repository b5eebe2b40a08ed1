package org.junit.runner.notification;

public class RunNotifier {}
