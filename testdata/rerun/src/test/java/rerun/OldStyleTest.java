package rerun;

import java.util.ArrayList;
import java.util.List;
import junit.framework.TestCase;

/** Written for JUnit 3, run by JUnit 4. */
public class OldStyleTest extends TestCase {
    static final List<String> NAMES = new ArrayList<>();

    public void testRegisters() {
        NAMES.add("ann");
        assertEquals(1, NAMES.size());
    }
}
