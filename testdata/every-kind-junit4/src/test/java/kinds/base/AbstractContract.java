package kinds.base;

import static org.junit.Assert.assertTrue;

import org.junit.Test;

public abstract class AbstractContract {
    protected abstract boolean holds();

    @Test
    public void inherited() {
        assertTrue(holds());
    }

    @Test
    public void overridden() {
        throw new IllegalStateException("must not run");
    }
}
