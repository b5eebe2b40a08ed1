package pollution;

import static org.testng.Assert.assertEquals;
import static org.testng.Assert.assertTrue;

import java.util.ArrayList;
import java.util.List;
import org.testng.annotations.AfterMethod;
import org.testng.annotations.BeforeMethod;
import org.testng.annotations.DataProvider;
import org.testng.annotations.Test;

/** TestNG: all tests of a class run on one object, with what runs before and after each method. */
public class NgTest {
    static final List<String> TIDIED = new ArrayList<>();
    static final List<Integer> KEPT = new ArrayList<>();
    static int opened;

    private final List<String> orders = new ArrayList<>();
    private List<String> anew;
    private int visitors;

    @BeforeMethod
    public void setUp() {
        TIDIED.add("set up");
        anew = new ArrayList<>();
        opened = 1;
    }

    @AfterMethod
    public void tearDown() {
        TIDIED.clear();
        opened = 0;
    }

    @Test
    public void isTidiedUpAfterwards() {
        TIDIED.add("test");
        assertEquals(opened, 1);
    }

    @Test
    public void leavesAnOrderInTheInstance() {
        orders.add("pear");
        assertEquals(orders.size(), 1);
    }

    @Test
    public void countsInTheInstance() {
        visitors = 7;
    }

    @Test
    public void fillsWhatIsSetAnew() {
        anew.add("apple");
    }

    @DataProvider
    public Object[][] numbers() {
        return new Object[][] {{1}, {2}};
    }

    @Test(dataProvider = "numbers")
    public void keepsEven(int number) {
        if (number % 2 == 0) {
            KEPT.add(number);
        }
        assertTrue(number > 0);
    }
}
