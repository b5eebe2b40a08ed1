package pollution;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.Test;
import org.junit.runner.RunWith;
import org.junit.runners.Parameterized;

/** Only some parameters pollute. */
@RunWith(Parameterized.class)
public class ParameterizedTest {
    static final List<Integer> kept = new ArrayList<>();

    @Parameterized.Parameters
    public static List<Object[]> parameters() {
        return Arrays.asList(new Object[] {1}, new Object[] {2}, new Object[] {3});
    }

    private final int number;

    public ParameterizedTest(int number) {
        this.number = number;
    }

    @Test
    public void keepsEven() {
        if (number % 2 == 0) {
            kept.add(number);
        }
    }
}
