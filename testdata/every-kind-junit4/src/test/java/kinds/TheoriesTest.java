package kinds;

import static org.junit.Assert.assertTrue;

import org.junit.experimental.theories.DataPoints;
import org.junit.experimental.theories.Theories;
import org.junit.experimental.theories.Theory;
import org.junit.runner.RunWith;

@RunWith(Theories.class)
public class TheoriesTest {
    @DataPoints
    public static final int[] NUMBERS = {1, 2, 3};

    @Theory
    public void holds(int a, int b) {
        assertTrue(a + b > 1);
    }

    @Theory
    public void fails(int a) {
        assertTrue(a < 3);
    }
}
