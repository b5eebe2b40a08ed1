package gradle;

import static org.junit.Assert.assertEquals;

import org.junit.Test;
import org.junit.runner.RunWith;
import org.junit.runners.Parameterized;

@RunWith(Parameterized.class)
public class RowsTest {
    @Parameterized.Parameters
    public static Object[] rows() {
        return new Object[] {1, 2, 3};
    }

    private final int row;

    public RowsTest(int row) {
        this.row = row;
    }

    @Test
    public void isItself() {
        assertEquals(Integer.toString(row), "" + row);
    }
}
