package pollution;

import static org.junit.Assert.assertEquals;

import org.junit.FixMethodOrder;
import org.junit.Test;
import org.junit.runners.MethodSorters;

/** PolDet, figure 6: a field that is worked out when it is first asked for. */
@FixMethodOrder(MethodSorters.NAME_ASCENDING)
public class LazyTest {
    private static final Notification MESSAGE = new Notification("hello");

    @Test
    public void a_first() {
        assertEquals("hello", MESSAGE.text);
    }

    @Test
    public void b_sendOneQueued() {
        assertEquals(5, MESSAGE.marshall().length);
    }

    static final class Notification {
        final String text;
        private byte[] marshalled;

        Notification(String text) {
            this.text = text;
        }

        byte[] marshall() {
            if (marshalled == null) {
                marshalled = text.getBytes();
            }
            return marshalled;
        }
    }
}
