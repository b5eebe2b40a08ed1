package faults;

import org.junit.FixMethodOrder;
import org.junit.Test;
import org.junit.runners.MethodSorters;

@FixMethodOrder(MethodSorters.NAME_ASCENDING)
public class ExitTest {
    @Test
    public void a_before() {}

    @Test
    public void b_fault() {
        if (Fault.is("exit")) {
            System.exit(3);
        }
    }

    @Test
    public void c_after() {}
}
