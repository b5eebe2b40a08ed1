package pollution;

import static org.junit.Assert.assertEquals;

import java.util.ArrayList;
import java.util.List;
import org.junit.FixMethodOrder;
import org.junit.Test;
import org.junit.runners.MethodSorters;

/** What the initialiser of one class does to another is done by whichever test comes first. */
@FixMethodOrder(MethodSorters.NAME_ASCENDING)
public class EagerTest {
    static final class Plugins {
        static final List<String> NAMES = new ArrayList<>();
    }

    static final class Late {
        static {
            Plugins.NAMES.add("late");
        }

        static String name() {
            return "late";
        }
    }

    @Test
    public void a_findsNoPlugin() {
        assertEquals(0, Plugins.NAMES.size());
    }

    @Test
    public void b_usesAPlugin() {
        String name = new StringBuilder(Late.name()).toString();
        assertEquals(name, Plugins.NAMES.get(0));
    }

    @Test
    public void c_addsAPlugin() {
        Plugins.NAMES.add("mine");
    }
}
