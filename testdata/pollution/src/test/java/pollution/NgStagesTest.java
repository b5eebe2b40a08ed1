package pollution;

import org.testng.annotations.AfterMethod;
import org.testng.annotations.BeforeMethod;
import org.testng.annotations.Test;

/** The same with TestNG. */
public class NgStagesTest {
    public NgStagesTest() {
        Stages.pass("construction");
    }

    @BeforeMethod
    public void setUp() {
        Stages.pass("set-up");
    }

    @Test
    public void passes() {
        Stages.pass("test");
    }

    @AfterMethod
    public void tearDown() {
        Stages.pass("tear-down");
    }
}
