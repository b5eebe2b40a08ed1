package rerun;

import java.util.concurrent.Semaphore;
import org.junit.Test;

/** The only permit is never given back: the second run waits for ever. */
public class HangTest {
    private static final Semaphore permits = new Semaphore(1);

    @Test
    public void acquires() throws InterruptedException {
        permits.acquire();
    }
}
