package pollution;

import org.testng.annotations.AfterClass;
import org.testng.annotations.BeforeClass;
import org.testng.annotations.Test;

/** What runs once before all tests of a class leaves something, and undoes something else afterwards. */
public class NgClassTest {
    @BeforeClass
    public void starts() {
        System.setProperty("pollution.ng", "left");
        System.setProperty("pollution.ng.tidy", "soon gone");
    }

    @AfterClass
    public void stops() {
        System.clearProperty("pollution.ng.tidy");
    }

    @Test
    public void one() {}

    @Test
    public void another() {}
}
