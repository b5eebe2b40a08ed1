package rerun;

import static org.junit.Assert.assertTrue;

import java.util.concurrent.ThreadLocalRandom;
import org.junit.Test;

/** Passes and fails by chance: flaky, and not because it runs again. */
public class ChanceTest {
    @Test
    public void half() {
        assertTrue(ThreadLocalRandom.current().nextBoolean());
    }

    @Test
    public void third() {
        assertTrue(ThreadLocalRandom.current().nextInt(3) > 0);
    }

    @Test
    public void tenth() {
        assertTrue(ThreadLocalRandom.current().nextInt(10) > 0);
    }
}
