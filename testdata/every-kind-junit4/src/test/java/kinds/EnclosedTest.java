package kinds;

import org.junit.Test;
import org.junit.experimental.runners.Enclosed;
import org.junit.runner.RunWith;

@RunWith(Enclosed.class)
public class EnclosedTest {
    public static class First {
        @Test
        public void passes() {}
    }

    public static class Second {
        @Test
        public void fails() {
            throw new AssertionError("on purpose");
        }
    }
}
