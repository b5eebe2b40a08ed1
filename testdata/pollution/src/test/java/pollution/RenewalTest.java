package pollution;

import java.util.ArrayList;
import java.util.List;
import org.junit.FixMethodOrder;
import org.junit.Test;
import org.junit.runners.MethodSorters;

/** A new object in the place of another one just like it is no change, as long as it is so in all of its places. */
@FixMethodOrder(MethodSorters.NAME_ASCENDING)
public class RenewalTest {
    static class Box {
        String label;
        int[] sizes = {1, 2};
        Object frozen = java.math.BigInteger.valueOf(1L << 40);
        Box next;

        Box(String label) {
            this.label = new StringBuilder(label).toString();
        }
    }

    static Box single = new Box("single");
    static Box left = new Box("shared");
    static Box right = left;
    static Box first = new Box("twin");
    static Box second = new Box("twin");
    static Box kept = new Box("kept");
    static List<Box> archive = new ArrayList<>(List.of(kept));
    static Box ring = ring();

    static Box ring() {
        Box one = new Box("ring");
        one.next = new Box("ring");
        one.next.next = one;
        return one;
    }

    @Test
    public void a_nothing() {}

    @Test
    public void b_allAnew() {
        single = new Box("single");
        left = right = new Box("shared");
        ring = ring();
        archive = new ArrayList<>(List.of(kept));
    }

    @Test
    public void c_bothTwins() {
        Box box = first;
        first = second;
        second = box;
    }

    @Test
    public void d_anotherLabel() {
        single = new Box("SINGLE");
    }

    @Test
    public void e_oneOfTwoThatAreOne() {
        left = new Box("shared");
    }

    @Test
    public void f_oneForTwo() {
        first = second = new Box("twin");
    }

    @Test
    public void g_notInTheArchive() {
        kept = new Box("kept");
    }

    @Test
    public void h_anotherSize() {
        single = new Box("SINGLE");
        single.sizes[1] = 3;
    }

    @Test
    public void i_aSmallerRing() {
        Box one = new Box("ring");
        one.next = one;
        ring = one;
    }
}
