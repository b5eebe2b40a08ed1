package rerun;

import java.io.FileWriter;
import java.io.IOException;
import java.util.Locale;
import org.junit.FixMethodOrder;
import org.junit.Test;
import org.junit.runners.MethodSorters;

/** Leaves a flag, a counter and the default locale changed, and writes down what it found. */
@FixMethodOrder(MethodSorters.NAME_ASCENDING)
public class FlagsTest {
    private static boolean inUse;
    private static int count = 7;

    @Test
    public void a_sets() throws IOException {
        set("a");
    }

    @Test
    public void b_sets() throws IOException {
        set("b");
    }

    @Test
    public void c_sets() throws IOException {
        set("c");
    }

    private static void set(String test) throws IOException {
        try (FileWriter log = new FileWriter("flags.log", true)) {
            Locale locale = Locale.getDefault(Locale.Category.FORMAT);
            log.write(ProcessHandle.current().pid() + " " + test);
            log.write(" " + inUse + " " + count + " " + locale.equals(Locale.KOREA) + "\n");
        }
        inUse = true;
        count++;
        Locale.setDefault(Locale.KOREA);
    }
}
