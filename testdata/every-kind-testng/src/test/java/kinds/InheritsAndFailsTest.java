package kinds;

import kinds.base.AbstractContract;
import org.testng.annotations.Test;

/** The annotation on the class makes every public method a test. */
@Test
public class InheritsAndFailsTest extends AbstractContract {
    @Override
    protected boolean holds() {
        return false;
    }

    @Override
    public void overridden() {}

    public void hasNoAnnotation() {}
}
