package kinds;

import kinds.base.AbstractContract;

public class InheritsAndFailsTest extends AbstractContract {
    @Override
    protected boolean holds() {
        return false;
    }

    @Override
    public void testOverridden() {}
}
