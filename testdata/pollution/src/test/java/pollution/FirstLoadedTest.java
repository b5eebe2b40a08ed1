package pollution;

import static org.junit.Assert.assertEquals;

import org.junit.FixMethodOrder;
import org.junit.Test;
import org.junit.runners.MethodSorters;

/** A class that is first initialised in the test that changes it: its state right after its initialiser is the one before. */
@FixMethodOrder(MethodSorters.NAME_ASCENDING)
public class FirstLoadedTest {
    @Test
    public void a_onlyLoads() {
        assertEquals(1, Loaded.level);
    }

    @Test
    public void b_loadsAndChanges() {
        LoadedAndChanged.level = 7;
    }

    static final class Loaded {
        static int level = 1;
    }

    static final class LoadedAndChanged {
        static int level = 1;
    }
}
