package broken;

import org.junit.Test;

public class BrokenTest {
    @Test
    public void doesNotCompile() {
        int number = "not a number";
    }
}
