package kinds;

import org.junit.Test;
import org.junit.runner.RunWith;
import org.junit.runners.Parameterized;
import org.junit.runners.Parameterized.Parameters;

@RunWith(Parameterized.class)
public class OddNamesTest {
    @Parameters(name = "{0}")
    public static Object[] names() {
        return new Object[] {
            "", "spaces and / slash", "(parens)", "[brackets]", "ünï¢ødé 漢字 🦶",
            "two\nlines\tand a tab", "bell \u0007",
            "\"double\" 'single' & <angles>", "same", "same",
        };
    }

    public OddNamesTest(String name) {}

    @Test
    public void takes() {}
}
