package kinds.base;

import junit.framework.TestCase;

public abstract class AbstractContract extends TestCase {
    protected abstract boolean holds();

    public void testInherited() {
        assertTrue(holds());
    }

    public void testOverridden() {
        throw new IllegalStateException("must not run");
    }
}
