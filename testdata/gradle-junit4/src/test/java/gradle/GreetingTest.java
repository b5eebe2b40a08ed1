package gradle;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.fail;

import java.io.File;
import org.junit.Ignore;
import org.junit.Test;

public class GreetingTest {
    @Test
    public void hasThePropertyOfTheBuild() {
        assertEquals("hello", System.getProperty("greeting"));
    }

    @Test
    public void runsInTheDirectoryOfTheBuild() {
        assertEquals(true, new File("build.gradle").isFile());
    }

    @Test
    @Ignore("on purpose")
    public void isIgnored() {}

    @Test
    public void fails() {
        fail("on purpose");
    }
}
