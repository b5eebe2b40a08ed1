package pollution;

import java.security.Security;
import org.junit.Test;

/** Adds a security provider, and is the first to ask for those that there are. */
public class ProviderTest {
    @Test
    public void adds() {
        Security.addProvider(new LeftoversTest.Some());
    }

    @Test
    public void asks() {
        Security.getProviders();
    }
}
