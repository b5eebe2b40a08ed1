package pollution;

import java.util.Arrays;
import java.util.Collections;
import java.util.Locale;
import org.junit.FixMethodOrder;
import org.junit.Test;
import org.junit.runners.MethodSorters;

/** State of the JDK that changes by design. */
@FixMethodOrder(MethodSorters.NAME_ASCENDING)
public class JdkTest {
    @Test
    public void a_shuffles() {
        Collections.shuffle(Arrays.asList(1, 2, 3));
    }

    @Test
    public void b_shufflesAgain() {
        Collections.shuffle(Arrays.asList(1, 2, 3));
    }

    @Test
    public void c_fillsTheCacheOfLocales() {
        Locale.forLanguageTag("sl-rozaj-biske");
    }
}
