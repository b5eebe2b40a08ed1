package pollution;

import static org.junit.Assert.assertEquals;

import java.util.ArrayList;
import java.util.List;
import org.junit.BeforeClass;
import org.junit.FixMethodOrder;
import org.junit.Test;
import org.junit.runners.MethodSorters;

/** What class-level set-up leaves is not the tests' doing. */
@FixMethodOrder(MethodSorters.NAME_ASCENDING)
public class ClassLevelTest {
    /** Known to nobody else; and for the other one the class has an initialiser. */
    static String prepared;

    static final List<String> NAMES = new ArrayList<>();

    @BeforeClass
    public static void setUpClass() {
        prepared = "left";
        NAMES.add("class");
        System.setProperty("pollution.class", "left");
        PotionEffectType.register(new PotionEffectType(30, "class"));
    }

    @Test
    public void a_reads() {
        assertEquals(prepared, System.getProperty("pollution.class"));
    }

    /** This one is its own. */
    @Test
    public void b_registers() {
        PotionEffectType.register(new PotionEffectType(31, "own"));
    }
}
