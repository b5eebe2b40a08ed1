package kinds;

import static org.testng.Assert.assertTrue;

import java.util.concurrent.atomic.AtomicInteger;
import org.testng.annotations.DataProvider;
import org.testng.annotations.Test;

public class InvocationCountTest {
    private final AtomicInteger calls = new AtomicInteger();

    @Test(invocationCount = 3)
    public void threeTimes() {}

    @Test(invocationCount = 4, successPercentage = 50)
    public void failsOnceWithinPercentage() {
        assertTrue(calls.incrementAndGet() != 2);
    }

    @DataProvider
    public Object[][] letters() {
        return new Object[][] {{"a"}, {"b"}};
    }

    @Test(invocationCount = 2, dataProvider = "letters")
    public void eachLetterTwice(String letter) {}
}
