package faults;

import java.util.ArrayList;
import java.util.List;
import org.junit.FixMethodOrder;
import org.junit.Test;
import org.junit.runners.MethodSorters;

@FixMethodOrder(MethodSorters.NAME_ASCENDING)
public class OutOfMemoryExitTest {
    @Test
    public void a_before() {}

    @Test
    public void b_fault() {
        if (Fault.is("oom-exit")) {
            List<byte[]> hoard = new ArrayList<>();
            try {
                while (true) {
                    hoard.add(new byte[1 << 20]);
                }
            } catch (OutOfMemoryError e) {
                hoard.clear();
                // What -XX:+ExitOnOutOfMemoryError does, without asking for the option in every run.
                Runtime.getRuntime().halt(3);
            }
        }
    }

    @Test
    public void c_after() {}
}
