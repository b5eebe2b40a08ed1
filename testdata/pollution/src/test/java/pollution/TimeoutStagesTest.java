package pollution;

import org.junit.Before;
import org.junit.Rule;
import org.junit.Test;
import org.junit.rules.Timeout;

/** A rule that has set-up and test run in another thread. */
public class TimeoutStagesTest {
    @Rule
    public final Timeout timeout = Timeout.seconds(60);

    @Before
    public void setUp() {
        Stages.pass("set-up");
    }

    @Test
    public void passes() {
        Stages.pass("timed test");
    }
}
