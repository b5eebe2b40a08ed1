package kinds;

import static org.testng.Assert.assertNotEquals;

import org.testng.annotations.Factory;
import org.testng.annotations.Test;

public class FactoryTest {
    private final int number;

    private FactoryTest(int number) {
        this.number = number;
    }

    @Factory
    public static Object[] make() {
        return new Object[] {new FactoryTest(4), new FactoryTest(1), new FactoryTest(2), new FactoryTest(3)};
    }

    @Test
    public void failsForTwo() {
        assertNotEquals(number, 2);
    }
}
