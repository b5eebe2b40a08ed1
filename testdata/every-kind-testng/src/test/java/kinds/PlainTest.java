package kinds;

import static org.testng.Assert.assertTrue;

import java.lang.reflect.Method;
import org.testng.SkipException;
import org.testng.annotations.Ignore;
import org.testng.annotations.Test;

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

    @Test(expectedExceptions = IllegalStateException.class)
    public void expectsAnException() {
        throw new IllegalStateException("on purpose");
    }

    @Test(timeOut = 100)
    public void timesOut() throws InterruptedException {
        Thread.sleep(60_000);
    }

    @Test
    public void isSkipped() {
        throw new SkipException("on purpose");
    }

    @Test(enabled = false)
    public void isDisabled() {}

    @Ignore
    @Test
    public void isIgnored() {}

    @Test(testName = "another name", description = "and a description")
    public void hasAnotherName() {}

    @Test
    public void hasInjectedParameter(Method method) {}
}
