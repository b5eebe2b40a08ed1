package java.util;

/**
 * How often a thread has asked in this test. To know the place that asks takes reading the stack, and most of what a choice takes. A
 * thread that asks very often is in a loop: from then on it is answered by content, as at level EQ, and needs no place. What it was
 * answered lately is kept here.
 */
final class SurefootOften {
    /** So many choices are made by their places. Each takes about two microseconds, so all of them a few milliseconds for a test. */
    private static final int BY_PLACE = 1000;
    /** A power of two. */
    private static final int KEPT = 64;

    private static final ThreadLocal<SurefootOften> OF_THREADS = new ThreadLocal<>();

    private int test;
    private int asked;
    private long[] questions;
    private int[][] orders;

    private SurefootOften() {}

    static SurefootOften ofThisThread(int test) {
        SurefootOften often = OF_THREADS.get();
        if (often == null) {
            often = new SurefootOften();
            OF_THREADS.set(often);
        }
        if (often.test != test) {
            often.test = test;
            often.asked = 0;
            often.questions = null;
            often.orders = null;
        }
        return often;
    }

    /** It was answered once more. */
    void count() {
        asked++;
    }

    boolean isReached() {
        return asked >= BY_PLACE;
    }

    /** An order by content, for whoever asks; null if it matters who that is. */
    int[] order(int model, long content, int size) {
        long question = SurefootChoices.spread(31 * model + size) + content;
        int at = (int) (question ^ (question >>> 32)) & (KEPT - 1);
        if (orders == null) {
            questions = new long[KEPT];
            orders = new int[KEPT][];
        }
        int[] known = orders[at];
        if (known == null || questions[at] != question || known.length != size) {
            known = SurefootChoices.chooseByContent(model, content, size);
            questions[at] = question;
            orders[at] = known;
        }
        return known;
    }
}
