package rerun;

import static org.junit.Assert.assertEquals;

import java.util.ArrayList;
import java.util.List;
import org.junit.BeforeClass;
import org.junit.Test;

/** Fails again only if both runs share what the class-level set-up made. */
public class SharedSetUpTest {
    private static List<String> entries;

    @BeforeClass
    public static void makeEntries() {
        entries = new ArrayList<>();
    }

    @Test
    public void adds() {
        entries.add("entry");
        assertEquals(1, entries.size());
    }
}
