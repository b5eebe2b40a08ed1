package kinds;

import static org.testng.Assert.assertNotEquals;

import java.util.Iterator;
import java.util.List;
import org.testng.SkipException;
import org.testng.annotations.DataProvider;
import org.testng.annotations.Test;

public class DataProviderTest {
    @DataProvider
    public Object[][] numbers() {
        return new Object[][] {{1}, {2}, {3}};
    }

    @Test(dataProvider = "numbers")
    public void failsForTwo(int number) {
        assertNotEquals(number, 2);
    }

    @Test(dataProvider = "numbers")
    public void skipsThree(int number) {
        if (number == 3) {
            throw new SkipException("on purpose");
        }
    }

    @DataProvider(name = "odd strings")
    public Iterator<Object[]> oddStrings() {
        return List.of(
                        new Object[] {"", null},
                        new Object[] {"a, b", "(x)"},
                        new Object[] {"[y]", "two\nlines"},
                        new Object[] {"ünï¢ødé 漢字", "\"quoted\""},
                        new Object[] {"same", "same"},
                        new Object[] {"same", "same"})
                .iterator();
    }

    @Test(dataProvider = "odd strings")
    public void takesOddStrings(String first, String second) {}

    @DataProvider
    public Object[][] mutable() {
        return new Object[][] {{new StringBuilder("before")}};
    }

    // Surefire prints the parameters after the test, so it prints "after".
    @Test(dataProvider = "mutable")
    public void changesItsParameter(StringBuilder text) {
        text.replace(0, text.length(), "after");
    }

    @DataProvider
    public Object[][] broken() {
        throw new IllegalStateException("on purpose");
    }

    @Test(dataProvider = "broken")
    public void hasABrokenProvider(int number) {}

    @DataProvider
    public Object[][] nothing() {
        return new Object[0][];
    }

    @Test(dataProvider = "nothing")
    public void neverCalled(int number) {}
}
