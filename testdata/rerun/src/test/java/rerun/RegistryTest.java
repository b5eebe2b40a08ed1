package rerun;

import static org.junit.Assert.assertEquals;

import java.util.HashMap;
import java.util.Map;
import org.junit.Test;

/** A registry with a method that empties it, which nobody calls. */
public class RegistryTest {
    static final class Registry {
        private static final Map<String, Integer> NAMES = new HashMap<>();

        /** Sets the field up and so is no way to undo anything. */
        static void fill() {
            NAMES.put("zero", 0);
        }

        static void clear() {
            NAMES.clear();
        }
    }

    @Test
    public void startsEmpty() {
        assertEquals(0, Registry.NAMES.size());
        Registry.fill();
    }
}
