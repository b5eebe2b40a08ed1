package surefoot.watch;

/** A test as its framework describes it, in the order of fields that the agent expects. */
final class SeenTest {
    private final String framework;
    private final String address;
    private final String className;
    private final String method;
    private final String display;
    private final String legacy;
    private String writtenFor;

    SeenTest(String framework, String address, String className, String method, String display, String legacy) {
        this.framework = framework;
        this.address = address;
        this.className = className;
        this.method = method;
        this.display = display;
        this.legacy = legacy;
    }

    /** The framework whose rules the test follows, if that is not the one that runs it. */
    SeenTest writtenFor(String other) {
        writtenFor = other;
        return this;
    }

    String[] with(String... more) {
        String[] fields = new String[7 + more.length];
        fields[0] = framework;
        fields[1] = address;
        fields[2] = className;
        fields[3] = method;
        fields[4] = display;
        fields[5] = legacy;
        fields[6] = writtenFor;
        System.arraycopy(more, 0, fields, 7, more.length);
        return fields;
    }

    /** The fields, then how the test ended, then what was thrown, if anything was. */
    String[] with(String status, Throwable thrown) {
        if (thrown == null) {
            return with(status);
        }
        return with(status, Thrown.className(thrown), Thrown.message(thrown), Thrown.stack(thrown), Thrown.assertion(thrown));
    }
}
