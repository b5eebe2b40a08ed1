package java.util;

/**
 * The one class of Surefoot's that other class loaders can see, so the smallest.
 *
 * <p>It lies in a package of java.base because every class loader asks the boot loader for those: woven calls in a test
 * framework resolve it whatever loader or module the framework is in. All real work is in classes of loaders that user
 * code cannot reach: one for the watching of each framework, one for the driver.
 *
 * <p>Nothing thrown in here gets out: a test must end as it would have without us.
 */
public abstract class SurefootProbe {
    private static final SurefootProbe[] PROBES = new SurefootProbe[128];

    protected static final int BEFORE_CONSTRUCTION = 10;
    protected static final int BEFORE_SETUP = 11;
    protected static final int AFTER_SETUP = 12;
    protected static final int BEFORE_TEARDOWN = 13;

    /** As the agent calls them. */
    private static final String[] POINTS = {"before-construction", "before-setup", "after-setup", "before-teardown"};

    /** The object that the tests of a class share; where state begins, for the agent. */
    static Object shared;

    protected SurefootProbe() {}

    /** Woven into a framework's method: the hook-th place of interest, in the framework of this slot. */
    public static void event(int slot, int hook, Object first, Object second) {
        try {
            SurefootProbe probe = PROBES[slot];
            if (probe == null) {
                probe = (SurefootProbe) SurefootLoader.load(frameworkLoader(slot), probeName(slot));
                PROBES[slot] = probe;
            }
            probe.on(hook, first, second);
        } catch (Throwable e) {
            try {
                emit(Kind.TROUBLE, "watching a test event failed: " + e);
            } catch (Throwable again) {
                // Nobody is left to tell; the test goes on.
            }
        }
    }

    /** Where a worker starts: the driver takes over, out of sight of user code. */
    public static void main(String[] arguments) throws ReflectiveOperationException {
        ((Runnable) SurefootLoader.load(ClassLoader.getSystemClassLoader(), "surefoot.drive.Driver")).run();
    }

    /** Null if each test has an object of its own. */
    protected static void share(Object instance) {
        if (instance != shared) {
            shared = instance;
            emit(Kind.SHARES, instance == null ? null : instance.getClass().getName());
        }
    }

    protected abstract void on(int hook, Object first, Object second) throws Exception;

    /** The loader of the class that was woven for this slot. */
    private static native ClassLoader frameworkLoader(int slot);

    /** The class that watches the framework of this slot. */
    private static native String probeName(int slot);

    static native byte[] classBytes(String name);

    /** Whether the state around tests is looked at. */
    protected static native boolean observes();

    /** Whether the state is looked at where tests come to points within them. */
    protected static native boolean wantsPoints();

    /** A test has come to a point within it: the hooks from {@link #BEFORE_CONSTRUCTION} on are points, in their order. */
    protected static void point(int hook) {
        if (wantsPoints()) {
            emit(Kind.POINT, POINTS[hook - BEFORE_CONSTRUCTION]);
        }
    }

    public static native void emit(int kind, String... fields);

    /** Woven into a class of the project, where its initialiser ends. */
    public static native void initialised();

    /** What a worker is to do next; null when there is no more. */
    public static native String[] next();

    /** What {@link #emit} takes; the agent's natives.rs knows the same numbers. */
    public static final class Kind {
        public static final int VM = 0;
        public static final int STARTED = 1;
        public static final int FINISHED = 2;
        public static final int SKIPPED = 3;
        public static final int CONTAINER_FAILED = 4;
        public static final int FAILED_SO_FAR = 5;
        public static final int ABORTED_SO_FAR = 6;
        public static final int TROUBLE = 7;
        public static final int DONE = 8;
        public static final int SCOPE_BEGINS = 9;
        public static final int SCOPE_ENDS = 10;
        public static final int SHARES = 11;
        public static final int CLASS_BEGINS = 12;
        public static final int CLASS_ENDS = 13;
        public static final int POINT = 14;

        private Kind() {}
    }
}
