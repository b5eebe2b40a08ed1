package pollution;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.util.Locale;
import java.util.TimeZone;
import org.junit.FixMethodOrder;
import org.junit.Test;
import org.junit.runners.MethodSorters;

/** Settings that the whole process shares. */
@FixMethodOrder(MethodSorters.NAME_ASCENDING)
public class ProcessTest {
    @Test
    public void a_reads() {
        System.getProperty("user.dir");
        Locale.getDefault();
        TimeZone.getDefault();
    }

    @Test
    public void b_property() {
        System.setProperty("pollution.mode", "fast");
    }

    @Test
    public void c_propertyAndBack() {
        System.setProperty("pollution.other", "x");
        System.clearProperty("pollution.other");
    }

    @Test
    public void d_locale() {
        Locale.setDefault(Locale.GERMANY);
    }

    @Test
    public void e_zone() {
        TimeZone.setDefault(TimeZone.getTimeZone("Asia/Tokyo"));
    }

    @Test
    public void f_out() {
        System.setErr(new PrintStream(new ByteArrayOutputStream()));
    }

    @Test
    public void g_printsAndLeavesTheStream() {
        System.out.println("hello");
    }
}
