package pollution;

import org.junit.After;
import org.junit.Before;
import org.junit.Rule;
import org.junit.Test;
import org.junit.rules.ExternalResource;

/** Every stage of a test leaves something. */
public class StagesTest {
    @Rule
    public final ExternalResource rule = new ExternalResource() {
        @Override
        protected void before() {
            Stages.pass("a rule's set-up");
        }

        @Override
        protected void after() {
            Stages.pass("a rule's tear-down");
        }
    };

    public StagesTest() {
        Stages.pass("construction");
    }

    @Before
    public void setUp() {
        Stages.pass("set-up");
    }

    @Test
    public void passes() {
        Stages.pass("test");
    }

    @After
    public void tearDown() {
        Stages.pass("tear-down");
    }
}
