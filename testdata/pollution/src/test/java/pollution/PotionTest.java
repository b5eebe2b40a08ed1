package pollution;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertNotNull;

import org.junit.FixMethodOrder;
import org.junit.Test;
import org.junit.runners.MethodSorters;

@FixMethodOrder(MethodSorters.NAME_ASCENDING)
public class PotionTest {
    @Test
    public void a_knowsSpeed() {
        assertNotNull(PotionEffectType.getByName("speed"));
    }

    @Test
    public void b_setExtended() {
        PotionEffectType.register(new PotionEffectType(19, "poison"));
        assertEquals(19, PotionEffectType.getByName("poison").id);
    }

    /** Takes out what it puts in. */
    @Test
    public void c_clean() {
        PotionEffectType.register(new PotionEffectType(20, "regeneration"));
        PotionEffectType.unregister("regeneration");
    }

    /** Another object that looks the same. */
    @Test
    public void d_replacesByAnEqualOne() {
        PotionEffectType.register(new PotionEffectType(1, "speed"));
    }
}
