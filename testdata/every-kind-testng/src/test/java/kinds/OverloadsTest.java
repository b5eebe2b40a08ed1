package kinds;

import org.testng.annotations.DataProvider;
import org.testng.annotations.Test;

public class OverloadsTest {
    @Test
    public void same() {}

    @DataProvider
    public Object[][] numbers() {
        return new Object[][] {{1}, {2}};
    }

    @Test(dataProvider = "numbers")
    public void same(int number) {}

    @DataProvider
    public Object[][] strings() {
        return new Object[][] {{"1"}};
    }

    @Test(dataProvider = "strings")
    public void same(String text) {}
}
