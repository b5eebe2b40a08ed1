package kinds;

import org.junit.Test;

/** JUnit refuses this class: a test method must be public. */
public class NotATestTest {
    @Test
    void isNotPublic() {}
}
