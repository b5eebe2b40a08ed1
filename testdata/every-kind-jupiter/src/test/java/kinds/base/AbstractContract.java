package kinds.base;

import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

public abstract class AbstractContract {
    protected abstract boolean holds();

    @Test
    protected void inherited() {
        assertTrue(holds());
    }

    // Not visible from the other package, yet a test there.
    @Test
    void inheritedPackagePrivate() {}

    @ParameterizedTest
    @ValueSource(ints = {1, 2})
    protected void inheritedParameterized(int number) {}

    @Test
    protected void overridden() {
        throw new IllegalStateException("must not run");
    }
}
