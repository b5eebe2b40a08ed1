/** Counts the calls that were put into methods; is not woven itself. */
public final class Probe {
    private static final int[] HITS = new int[4096];
    private static int withThis;
    private static int wrong;

    public static void hit(int method) {
        HITS[method]++;
    }

    public static void hitThis(Object self) {
        withThis++;
        if (self == null) {
            wrong++;
        }
    }

    public static void hitWide(int large, int least, int small) {
        if (large != 100_000 || least != Integer.MIN_VALUE || small != -7) {
            wrong++;
        }
    }

    /** Thirty arguments of three bytes each make a call that no short stack frame spans. */
    public static void hitMany(
            int a0, int a1, int a2, int a3, int a4, int a5, int a6, int a7, int a8, int a9,
            int b0, int b1, int b2, int b3, int b4, int b5, int b6, int b7, int b8, int b9,
            short c0, char c1, byte c2, boolean c3, Object c4, int c5, int c6, int c7, int c8,
            int c9) {
        boolean right = a0 == 300 && b9 == -319 && c0 == -32768 && c1 == 32767 && c2 == -128
                && c3 && c4 == null && c5 == -1 && c6 == 5 && c7 == 6 && c8 == 127 && c9 == 128;
        if (!right) {
            wrong++;
        }
    }

    /** What a method is about to return. */
    public static Object same(Object returned, int method) {
        HITS[method]++;
        return returned;
    }

    public static int same(int returned, int method) {
        HITS[method]++;
        return returned;
    }

    public static long same(long returned, int method) {
        HITS[method]++;
        return returned;
    }

    public static Object sameOfThis(Object returned, Object self, int method) {
        withThis++;
        if (self == null) {
            wrong++;
        }
        return same(returned, method);
    }

    /** Whether to do without the method's own code. */
    public static boolean instead(int method) {
        HITS[method]++;
        return false;
    }

    /** Never asked, as long as instead says no. */
    public static String text(int method) {
        wrong++;
        return "";
    }

    public static String report() {
        StringBuilder report = new StringBuilder("wrong " + wrong + "\nthis " + withThis + "\n");
        for (int method = 0; method < HITS.length; method++) {
            if (HITS[method] > 0) {
                report.append(method).append(' ').append(HITS[method]).append('\n');
            }
        }
        return report.toString();
    }
}
