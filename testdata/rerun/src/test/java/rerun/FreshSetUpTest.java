package rerun;

import static org.junit.Assert.assertEquals;

import org.junit.BeforeClass;
import org.junit.Test;

/** Fails again only if the second run has a class-level set-up of its own. */
public class FreshSetUpTest {
    private static int connections;

    @BeforeClass
    public static void connect() {
        connections++;
    }

    @Test
    public void isConnectedOnce() {
        assertEquals(1, connections);
    }
}
