package pollution;

import org.junit.FixMethodOrder;
import org.junit.Test;
import org.junit.runners.MethodSorters;

/** The kinds of tests that PolDet@JPF is tried on; the sixth is one that it misses. */
@FixMethodOrder(MethodSorters.NAME_ASCENDING)
public class SevenTest {
    static int level;
    static Byte[] byteCache;
    private int own = 5;

    static final class Label {
        static String text = "foo";
    }

    static final class Writer {
        void write(String text) {
            Label.text = text;
        }
    }

    static final class Part {
        static int made;

        Part() {
            made++;
        }
    }

    static final class Whole {
        final Part part = new Part();
    }

    @Test
    public void a_doesNothing() {}

    @Test
    public void b_setsAStaticField() {
        level = 4;
    }

    @Test
    public void c_setsAFieldOfItsOwn() {
        own = 2;
    }

    @Test
    public void d_isTheFirstToUseAClass() {
        System.out.println(Label.text);
    }

    @Test
    public void e_setsAStaticFieldThroughAnotherClass() {
        new Writer().write("bar");
    }

    @Test
    public void f_changesAClassThatItIsTheFirstToUse() {
        new Whole();
    }

    @Test
    public void g_fillsACache() {
        byteCache = new Byte[5];
    }
}
