package kinds;

import static org.testng.Assert.assertEquals;

import org.testng.IRetryAnalyzer;
import org.testng.ITestResult;
import org.testng.annotations.Test;

public class RetryTest {
    private int calls;

    @Test(retryAnalyzer = Once.class)
    public void passesAtTheSecondTry() {
        assertEquals(++calls, 2);
    }

    public static class Once implements IRetryAnalyzer {
        private boolean retried;

        @Override
        public boolean retry(ITestResult result) {
            boolean again = !retried;
            retried = true;
            return again;
        }
    }
}
