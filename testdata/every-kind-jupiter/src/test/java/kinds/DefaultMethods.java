package kinds;

import org.junit.jupiter.api.Test;

interface DefaultMethods {
    @Test
    default void fromAnInterface() {}
}
