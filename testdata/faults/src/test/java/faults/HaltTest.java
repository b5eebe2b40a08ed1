package faults;

import org.junit.FixMethodOrder;
import org.junit.Test;
import org.junit.runners.MethodSorters;

@FixMethodOrder(MethodSorters.NAME_ASCENDING)
public class HaltTest {
    @Test
    public void a_before() {}

    @Test
    public void b_fault() {
        if (Fault.is("halt")) {
            Runtime.getRuntime().halt(4);
        }
    }

    @Test
    public void c_after() {}
}
