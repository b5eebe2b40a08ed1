package rerun;

import static org.junit.Assert.assertNull;

import org.junit.Before;
import org.junit.Test;

/** The test itself always passes; what comes before it does not. */
public class BeforeTest {
    private static Object server;

    @Before
    public void startServer() {
        assertNull("there is a server already", server);
        server = new Object();
    }

    @Test
    public void asks() {}
}
