package kinds;

import org.junit.Test;

public class StaticInitFailsTest {
    static final int BROKEN = Integer.parseInt("on purpose");

    @Test
    public void first() {}

    @Test
    public void second() {}
}
