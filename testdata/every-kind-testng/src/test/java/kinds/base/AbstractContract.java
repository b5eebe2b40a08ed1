package kinds.base;

import static org.testng.Assert.assertTrue;

import org.testng.annotations.Test;

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
