package faults;

import org.junit.FixMethodOrder;
import org.junit.Test;
import org.junit.runners.MethodSorters;

@FixMethodOrder(MethodSorters.NAME_ASCENDING)
public class ThreadsTest {
    @Test
    public void a_before() {}

    @Test
    public void b_fault() {
        if (Fault.is("threads")) {
            for (int i = 0; i < 3; i++) {
                new Thread(ThreadsTest::waitForever, "left behind " + i).start();
            }
        }
    }

    @Test
    public void c_after() {}

    private static void waitForever() {
        while (true) {
            try {
                Thread.sleep(Long.MAX_VALUE);
            } catch (InterruptedException e) {
                // Stays: that is the fault.
            }
        }
    }
}
