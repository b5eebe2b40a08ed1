package pollution;

import static org.junit.Assert.assertNull;

import java.lang.ref.WeakReference;
import org.junit.FixMethodOrder;
import org.junit.Test;
import org.junit.runners.MethodSorters;

/** Each changes one thing, of every kind that a field can hold, in state that was looked at before. */
@FixMethodOrder(MethodSorters.NAME_ASCENDING)
public class TouchTest {
    static final class Box {
        boolean flag;
        byte small;
        char letter = 'a';
        short low;
        int number;
        float part;
        long wide;
        double half;
        Object other;
    }

    static Box box = new Box();
    static long moment;
    static byte[] bytes = new byte[21];
    static double[] halves = new double[3];
    static Object[] objects = new Object[3];
    static Object gone = new byte[10];

    @Test
    public void a_nothing() {}

    @Test
    public void b_flag() {
        box.flag = true;
    }

    @Test
    public void c_small() {
        box.small = -1;
    }

    @Test
    public void d_letter() {
        box.letter = '\uffff';
    }

    @Test
    public void e_low() {
        box.low = -2;
    }

    @Test
    public void f_number() {
        box.number = -3;
    }

    @Test
    public void g_part() {
        box.part = -0.5f;
    }

    @Test
    public void h_wide() {
        box.wide = 1L << 40;
    }

    @Test
    public void i_half() {
        box.half = -0.5;
    }

    @Test
    public void j_other() {
        box.other = "set";
    }

    @Test
    public void k_moment() {
        moment = Long.MIN_VALUE;
    }

    @Test
    public void l_lastByte() {
        bytes[20] = 1;
    }

    @Test
    public void m_lastHalf() {
        halves[2] = 0.5;
    }

    @Test
    public void n_lastObject() {
        objects[2] = box.other;
    }

    @Test
    public void o_nothingButTheCollector() {
        System.gc();
    }

    @Test
    public void p_afterTheCollector() {
        box.number = 4;
    }

    /** Nobody but the program itself keeps its objects alive. */
    @Test
    public void q_letsGo() {
        WeakReference<Object> reference = new WeakReference<>(gone);
        gone = null;
        for (int round = 0; round < 50 && reference.get() != null; round++) {
            System.gc();
        }
        assertNull(reference.get());
    }
}
