package faults;

import java.util.ArrayList;
import java.util.List;
import org.junit.FixMethodOrder;
import org.junit.Test;
import org.junit.runners.MethodSorters;

@FixMethodOrder(MethodSorters.NAME_ASCENDING)
public class OutOfMemoryTest {
    @Test
    public void a_before() {}

    @Test
    public void b_fault() {
        if (Fault.is("oom")) {
            List<byte[]> hoard = new ArrayList<>();
            while (true) {
                hoard.add(new byte[1 << 20]);
            }
        }
    }

    @Test
    public void c_after() {}
}
