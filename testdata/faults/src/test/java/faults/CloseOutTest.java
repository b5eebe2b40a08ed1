package faults;

import org.junit.FixMethodOrder;
import org.junit.Test;
import org.junit.runners.MethodSorters;

@FixMethodOrder(MethodSorters.NAME_ASCENDING)
public class CloseOutTest {
    @Test
    public void a_before() {}

    @Test
    public void b_fault() {
        if (Fault.is("close-out")) {
            System.out.close();
        }
    }

    @Test
    public void c_after() {}
}
