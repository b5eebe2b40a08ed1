package rerun;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.fail;

import java.util.concurrent.atomic.AtomicInteger;
import org.junit.Test;

/** Figure 3: a counter that no run sets back. */
public class RetryTest {
    static final AtomicInteger counter = new AtomicInteger();

    @Test
    public void retryInterceptor() {
        int retries = 3;
        try {
            for (int attempt = 0; attempt <= retries; attempt++) {
                counter.incrementAndGet();
            }
            throw new IllegalStateException("no attempt succeeded");
        } catch (IllegalStateException e) {
            assertEquals(retries + 1, counter.get());
            return;
        }
    }

    @Test
    public void countsNothing() {
        if (counter.get() < 0) {
            fail();
        }
    }
}
