package kinds;

import org.junit.jupiter.api.Test;

class StaticInitFailsTest {
    static final int BROKEN = Integer.parseInt("on purpose");

    @Test
    void first() {}

    @Test
    void second() {}
}
