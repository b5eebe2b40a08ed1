package kinds;

import org.junit.Test;

public class OverloadsBase {
    @Test
    public void inherited() {}
}
