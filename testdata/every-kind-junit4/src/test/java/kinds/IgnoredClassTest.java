package kinds;

import org.junit.Ignore;
import org.junit.Test;

@Ignore("on purpose")
public class IgnoredClassTest {
    @Test
    public void one() {}

    @Test
    public void two() {}
}
