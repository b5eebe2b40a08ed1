package kinds;

import static org.junit.Assert.assertTrue;
import static org.junit.Assume.assumeTrue;

import org.junit.Ignore;
import org.junit.Test;

public class PlainTest {
    @Test
    public void passes() {}

    @Test
    public void failsAnAssertion() {
        assertTrue(false);
    }

    @Test
    public void throwsAnException() {
        throw new IllegalStateException("on purpose");
    }

    @Test
    public void throwsAnError() {
        throw new StackOverflowError("on purpose");
    }

    @Test(expected = IllegalStateException.class)
    public void expectsAnException() {
        throw new IllegalStateException("on purpose");
    }

    @Test(timeout = 100)
    public void timesOut() throws InterruptedException {
        Thread.sleep(60_000);
    }

    @Test
    public void isAborted() {
        assumeTrue(false);
    }

    @Ignore("on purpose")
    @Test
    public void isIgnored() {}
}
