package assumptions;

import static org.junit.Assert.assertEquals;

import java.util.Arrays;
import java.util.List;
import org.junit.Test;

/** Relies on an order that the library keeps but does not promise. */
public class LibraryTest {
    static final class Library {
        /** In no particular order. */
        static List<String> authors() {
            return Arrays.asList("Ada", "Grace", "Mary");
        }
    }

    @Test
    public void firstAuthor() {
        assertEquals("Ada", Library.authors().get(0));
    }
}
