package assumptions;

import static org.junit.Assert.assertEquals;

import java.io.File;
import java.util.HashMap;
import java.util.Map;
import java.util.TreeMap;
import org.junit.Test;

/** Relies on the order of a map until somebody repairs the test or the code: files of these names stand for that. */
public class RepairedTest {
    @Test
    public void overview() {
        Map<Integer, String> departments = new HashMap<>();
        for (int number = 1; number < 6; number++) {
            departments.put(number, "department");
        }
        if (new File("repaired-code").exists()) {
            departments = new TreeMap<>(departments);
        }
        String overview = departments.keySet().toString();
        if (!new File("repaired-test").exists()) {
            assertEquals("[1, 2, 3, 4, 5]", overview);
        }
    }
}
