package kinds;

import kinds.base.AbstractContract;
import org.junit.jupiter.api.Test;

class InheritsTest extends AbstractContract {
    @Override
    protected boolean holds() {
        return true;
    }

    @Override
    @Test
    protected void overridden() {}

    @Test
    void own() {}
}
