package pollution;

import org.junit.BeforeClass;
import org.junit.FixMethodOrder;
import org.junit.Test;
import org.junit.runners.MethodSorters;

/** What all tests want to be done when the VM ends. */
@FixMethodOrder(MethodSorters.NAME_ASCENDING)
public class HookTest {
    private static final Thread HOOK = new Thread(() -> {}, "hook");

    @BeforeClass
    public static void addTheHook() {
        Runtime.getRuntime().addShutdownHook(HOOK);
    }

    @Test
    public void a_takesTheHookOut() {
        Runtime.getRuntime().removeShutdownHook(HOOK);
    }

    @Test
    public void b_looksOn() {}
}
