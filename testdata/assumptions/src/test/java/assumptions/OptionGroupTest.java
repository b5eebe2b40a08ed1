package assumptions;

import static org.junit.Assert.fail;

import java.util.HashMap;
import java.util.Map;
import org.junit.Test;

/** Figure 2.7: one unmodified map is looked at twice, and either order will do; only at level FULL it fails. */
public class OptionGroupTest {
    private final Map<String, String> options = new HashMap<>();

    @Override
    public String toString() {
        StringBuilder text = new StringBuilder("[");
        for (String option : options.keySet()) {
            text.append('-').append(option).append(' ');
        }
        return text.append(']').toString();
    }

    @Test
    public void textOfTwoOptions() {
        options.put("f", "foo");
        options.put("b", "bar");
        if (!toString().equals("[-b -f ]") && !toString().equals("[-f -b ]")) {
            fail("wrong text");
        }
    }
}
