package kinds;

import kinds.base.AbstractContract;
import org.junit.Test;

public class InheritsAndFailsTest extends AbstractContract {
    @Override
    protected boolean holds() {
        return false;
    }

    @Override
    @Test
    public void overridden() {}
}
