package kinds;

import kinds.base.AbstractContract;
import org.junit.Test;

public class InheritsTest extends AbstractContract {
    @Override
    protected boolean holds() {
        return true;
    }

    @Override
    @Test
    public void overridden() {}

    @Test
    public void own() {}
}
