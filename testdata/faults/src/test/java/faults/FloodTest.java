package faults;

import java.util.Arrays;
import org.junit.FixMethodOrder;
import org.junit.Test;
import org.junit.runners.MethodSorters;

@FixMethodOrder(MethodSorters.NAME_ASCENDING)
public class FloodTest {
    @Test
    public void a_before() {}

    @Test
    public void b_fault() {
        if (Fault.is("flood")) {
            byte[] chunk = new byte[1 << 20];
            Arrays.fill(chunk, (byte) 'x');
            chunk[chunk.length - 1] = '\n';
            for (int i = 0; i < 1024; i++) {
                System.out.write(chunk, 0, chunk.length);
            }
        }
    }

    @Test
    public void c_after() {}
}
