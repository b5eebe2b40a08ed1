package pollution;

import static org.junit.Assert.assertEquals;

import java.io.File;
import org.junit.BeforeClass;
import org.junit.FixMethodOrder;
import org.junit.Test;
import org.junit.runners.MethodSorters;

/** PolDet, figure 1: a static field of the test class that one test sets for itself. */
@FixMethodOrder(MethodSorters.NAME_ASCENDING)
public class TestDirTest {
    static File testDir;

    @BeforeClass
    public static void initialize() {
        testDir = new File("build/test/data");
    }

    @Test
    public void absoluteGlob() {
        assertEquals("build/test/data", testDir.getPath());
    }

    @Test
    public void buggyPath() {
        testDir = new File("/tmp");
        assertEquals("/tmp", testDir.getPath());
    }
}
