package java.lang;

/** Counts the calls at the end of `<clinit>` in classes of the JDK; so early that it needs none of them. */
public final class InitialisedProbe {
    private static final int FIRST = 100_000;
    private static final int[] TIMES = new int[1 << 15];

    public static void initialised(int number) {
        TIMES[number - FIRST]++;
    }

    public static int times(int number) {
        return TIMES[number - FIRST];
    }
}
