package faults;

import java.lang.reflect.Field;
import org.junit.FixMethodOrder;
import org.junit.Test;
import org.junit.runners.MethodSorters;

@FixMethodOrder(MethodSorters.NAME_ASCENDING)
public class CrashTest {
    @Test
    public void a_before() {}

    @Test
    public void b_fault() throws ReflectiveOperationException {
        if (Fault.is("crash")) {
            Class<?> unsafe = Class.forName("sun.misc.Unsafe");
            Field instance = unsafe.getDeclaredField("theUnsafe");
            instance.setAccessible(true);
            unsafe.getMethod("putAddress", long.class, long.class).invoke(instance.get(null), 0L, 0L);
        }
    }

    @Test
    public void c_after() {}
}
