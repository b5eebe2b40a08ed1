package kinds;

import kinds.base.AbstractContract;

public class InheritsTest extends AbstractContract {
    @Override
    protected boolean holds() {
        return true;
    }

    @Override
    public void testOverridden() {}

    public void testOwn() {}
}
