package pollution;

import java.net.InetAddress;
import java.net.ServerSocket;
import java.security.Provider;
import java.security.Security;
import java.text.SimpleDateFormat;
import java.util.concurrent.CountDownLatch;
import org.junit.FixMethodOrder;
import org.junit.Test;
import org.junit.runners.MethodSorters;

/** What stays in a process beside static fields. */
@FixMethodOrder(MethodSorters.NAME_ASCENDING)
public class LeftoversTest {
    static final class Call {
        final String user;

        Call(String user) {
            this.user = user;
        }
    }

    static final class Some extends Provider {
        Some() {
            super("Some", "1", "a provider of no service");
        }
    }

    /** The call that this thread is at, as in Hadoop's RPC server. */
    static final ThreadLocal<Call> CURRENT = new ThreadLocal<>();

    static final ThreadLocal<SimpleDateFormat> FORMAT =
        ThreadLocal.withInitial(() -> new SimpleDateFormat("yyyy"));

    private static final CountDownLatch NEVER = new CountDownLatch(1);
    private static ServerSocket server;

    private static void await() {
        try {
            NEVER.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    @Test
    public void a_setsAndRemoves() {
        CURRENT.set(new Call("ann"));
        CURRENT.remove();
    }

    @Test
    public void b_leavesItsCall() {
        CURRENT.set(new Call("bob"));
    }

    @Test
    public void c_setsAndClears() {
        Call before = CURRENT.get();
        CURRENT.set(new Call("cid"));
        CURRENT.set(before);
    }

    @Test
    public void d_formats() {
        FORMAT.get();
    }

    @Test
    public void e_waitsForItsThread() throws InterruptedException {
        Thread thread = new Thread(() -> {}, "short");
        thread.start();
        thread.join();
    }

    /** What it holds is no worse than that it is there. */
    @Test
    public void f_leavesAThread() throws InterruptedException {
        CountDownLatch runs = new CountDownLatch(1);
        Thread thread = new Thread(() -> {
            CURRENT.set(new Call("left behind"));
            runs.countDown();
            await();
        }, "left behind");
        thread.setDaemon(true);
        thread.start();
        runs.await();
    }

    @Test
    public void g_leavesAServer() throws Exception {
        server = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
    }

    @Test
    public void h_addsAProvider() {
        Security.getProviders();
        Security.addProvider(new Some());
    }

    @Test
    public void i_addsAHook() {
        Runtime.getRuntime().addShutdownHook(new Thread(() -> {}, "hook"));
    }

    @Test
    public void j_addsAndRemovesAHook() {
        Thread hook = new Thread(() -> {}, "hook");
        Runtime.getRuntime().addShutdownHook(hook);
        Runtime.getRuntime().removeShutdownHook(hook);
    }

    /** The JDK adds a hook of its own then. */
    @Test
    public void k_logs() {
        java.util.logging.LogManager.getLogManager();
    }
}
