package rerun;

import static org.junit.Assert.assertFalse;
import static org.junit.Assert.assertTrue;

import org.junit.Test;

/** Figure 7: a context that all runs share, and that remembers that it was started. */
public class ContextTest {
    static final class Context {
        private static final Context CURRENT = new Context();
        private boolean started;

        static Context get() {
            return CURRENT;
        }
    }

    @Test
    public void async() {
        Context context = Context.get();
        assertFalse(context.started);
        context.started = true;
        assertTrue(context.started);
    }
}
