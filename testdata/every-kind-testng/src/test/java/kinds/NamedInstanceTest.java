package kinds;

import org.testng.ITest;
import org.testng.annotations.DataProvider;
import org.testng.annotations.Factory;
import org.testng.annotations.Test;

/** An instance that names its tests itself. */
public class NamedInstanceTest implements ITest {
    private final String name;

    @Factory(dataProvider = "names")
    public NamedInstanceTest(String name) {
        this.name = name;
    }

    @DataProvider
    public static Object[][] names() {
        return new Object[][] {{"red (1)"}, {"green / 2"}};
    }

    @Override
    public String getTestName() {
        return name;
    }

    @Test
    public void passes() {}
}
