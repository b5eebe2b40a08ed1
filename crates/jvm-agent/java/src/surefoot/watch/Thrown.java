package surefoot.watch;

import java.io.PrintWriter;
import java.io.StringWriter;

/** A throwable as text. Its methods are the user's code, so each may fail. */
final class Thrown {
    /** Longer stacks are cut: a StackOverflowError has a thousand frames. */
    private static final int LIMIT = 16 * 1024;

    private Thrown() {}

    static String className(Throwable thrown) {
        return thrown == null ? null : thrown.getClass().getName();
    }

    static String message(Throwable thrown) {
        try {
            return thrown == null ? null : cut(thrown.getMessage());
        } catch (Throwable e) {
            return "(its message could not be read: " + e.getClass().getName() + ")";
        }
    }

    static String stack(Throwable thrown) {
        if (thrown == null) {
            return null;
        }
        try {
            StringWriter text = new StringWriter();
            thrown.printStackTrace(new PrintWriter(text, true));
            return cut(text.toString());
        } catch (Throwable e) {
            return "(its stack could not be read: " + e.getClass().getName() + ")";
        }
    }

    static String assertion(Throwable thrown) {
        return thrown instanceof AssertionError ? "1" : "0";
    }

    private static String cut(String text) {
        return text == null || text.length() <= LIMIT ? text : text.substring(0, LIMIT) + " …";
    }
}
