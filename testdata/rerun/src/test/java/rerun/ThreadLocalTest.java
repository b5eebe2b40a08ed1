package rerun;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertTrue;

import java.util.HashSet;
import java.util.Set;
import org.junit.FixMethodOrder;
import org.junit.Test;
import org.junit.runners.MethodSorters;

/** Figure 4: the test before it makes it fail at once, so that only alone it passes and then fails. */
@FixMethodOrder(MethodSorters.NAME_ASCENDING)
public class ThreadLocalTest {
    static final ThreadLocal<Set<Object>> LOCALS = ThreadLocal.withInitial(HashSet::new);

    @Test
    public void a_setAndGet() {
        Object value = new Object();
        LOCALS.get().add(value);
        assertTrue(LOCALS.get().contains(value));
    }

    @Test
    public void b_size() {
        LOCALS.get().add(new Object());
        assertEquals("size method is wrong!", 1, LOCALS.get().size());
        LOCALS.get().add(new Object());
        assertEquals("size method is wrong!", 2, LOCALS.get().size());
    }
}
