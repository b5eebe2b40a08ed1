package pollution;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertNotNull;

import java.nio.charset.Charset;
import java.nio.charset.CharsetEncoder;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.BeforeClass;
import org.junit.FixMethodOrder;
import org.junit.Test;
import org.junit.runners.MethodSorters;

/** What threads have to work with, and what looks like that and can be seen. */
@FixMethodOrder(MethodSorters.NAME_ASCENDING)
public class ScratchTest {
    private static final ThreadLocal<char[]> CHARS = ThreadLocal.withInitial(() -> new char[2]);
    private static final ThreadLocal<StringBuilder> TEXT = ThreadLocal.withInitial(StringBuilder::new);
    private static final ThreadLocal<byte[]> BYTES = new ThreadLocal<byte[]>() {
        @Override
        protected byte[] initialValue() {
            return new byte[2];
        }
    };
    private static final ThreadLocal<CharsetEncoder> ENCODER = new ThreadLocal<>();
    private static final ThreadLocal<int[]> DEPTH = ThreadLocal.withInitial(() -> new int[1]);
    static final ThreadLocal<Charset> CHARSET = new ThreadLocal<>();
    static char[] shared = new char[2];

    private static final ExecutorService POOL = daemons("scratch-1");
    private static ExecutorService another;

    private static ExecutorService daemons(String name) {
        int[] number = {0};
        return Executors.newFixedThreadPool(4, work -> {
            Thread thread = new Thread(work, name + "-" + ++number[0]);
            thread.setDaemon(true);
            return thread;
        });
    }

    private static CharsetEncoder encoder(Charset charset) {
        CharsetEncoder encoder = ENCODER.get();
        if (encoder == null || !encoder.charset().equals(charset)) {
            encoder = charset.newEncoder();
            ENCODER.set(encoder);
        }
        return encoder;
    }

    private static void work(ExecutorService pool) throws Exception {
        Future<?> done = pool.submit(() -> {});
        done.get();
    }

    /** Everybody has what there is to work with. */
    @BeforeClass
    public static void start() throws Exception {
        assertEquals(2, CHARS.get().length);
        assertEquals(2, BYTES.get().length);
        assertEquals(0, TEXT.get().length());
        assertEquals(1, DEPTH.get().length);
        assertNotNull(encoder(StandardCharsets.UTF_8));
        work(POOL);
    }

    @Test
    public void a_usesTheRoom() {
        Character.toChars('a', CHARS.get(), 0);
        BYTES.get()[0] = 1;
        TEXT.get().append("some text that is longer than what there is room for at first");
    }

    @Test
    public void b_usesAnotherEncoder() {
        assertEquals(true, encoder(StandardCharsets.US_ASCII).canEncode('a'));
    }

    @Test
    public void c_hasThePoolGrow() throws Exception {
        work(POOL);
    }

    @Test
    public void d_goesDown() {
        DEPTH.get()[0]++;
    }

    @Test
    public void e_setsTheCharset() {
        CHARSET.set(StandardCharsets.UTF_16);
    }

    @Test
    public void f_writesWhereAllCanRead() {
        shared[0] = 'f';
    }

    @Test
    public void g_leavesAPool() throws Exception {
        another = daemons("scratch-2");
        work(another);
    }
}
