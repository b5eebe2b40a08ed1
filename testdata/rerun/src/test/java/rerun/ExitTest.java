package rerun;

import org.junit.Test;

/** The second run takes its VM down. */
public class ExitTest {
    private static boolean ran;

    @Test
    public void exits() {
        if (ran) {
            Runtime.getRuntime().halt(3);
        }
        ran = true;
    }
}
