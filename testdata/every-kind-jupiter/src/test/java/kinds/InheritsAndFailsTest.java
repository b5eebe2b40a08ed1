package kinds;

import kinds.base.AbstractContract;
import org.junit.jupiter.api.Test;

class InheritsAndFailsTest extends AbstractContract implements DefaultMethods {
    @Override
    protected boolean holds() {
        return false;
    }

    @Override
    @Test
    protected void overridden() {}
}
