package faults;

import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.util.Random;
import org.junit.FixMethodOrder;
import org.junit.Test;
import org.junit.runners.MethodSorters;

@FixMethodOrder(MethodSorters.NAME_ASCENDING)
public class GarbageTest {
    @Test
    public void a_before() {}

    @Test
    public void b_fault() throws IOException {
        if (Fault.is("garbage")) {
            // Every byte, then noise; once where the runner may have put its own stream, once past it.
            byte[] bytes = new byte[4096];
            new Random(1).nextBytes(bytes);
            for (int i = 0; i < 256; i++) {
                bytes[i] = (byte) i;
            }
            System.out.write(bytes, 0, bytes.length);
            System.out.flush();
            new FileOutputStream(FileDescriptor.out).write(bytes);
        }
    }

    @Test
    public void c_after() {}
}
