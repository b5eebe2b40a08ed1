package pollution;

import java.lang.reflect.Proxy;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;
import org.junit.FixMethodOrder;
import org.junit.Test;
import org.junit.runners.MethodSorters;

/** State of unusual shape. */
@FixMethodOrder(MethodSorters.NAME_ASCENDING)
public class OddTest {
    enum Light {
        RED,
        GREEN;

        int seconds = 10;
    }

    static final class Node {
        Node next;
        int value;
    }

    static Node list = chain(100_000);
    static final List<Object> self = new ArrayList<>();
    static final List<List<Object>> ring = new ArrayList<>();
    static final byte[] bytes = new byte[1_000_000];
    static final ByteBuffer offHeap = ByteBuffer.allocateDirect(64);
    static Runnable proxy = (Runnable) Proxy.newProxyInstance(
            OddTest.class.getClassLoader(), new Class<?>[] {Runnable.class}, (p, m, a) -> null);
    static Supplier<String> lambda = () -> "a";
    static Light light = Light.RED;

    static {
        self.add(self);
        ring.add(new ArrayList<>());
    }

    private static Node chain(int length) {
        Node first = null;
        for (int i = 0; i < length; i++) {
            Node node = new Node();
            node.next = first;
            node.value = i;
            first = node;
        }
        return first;
    }

    @Test
    public void a_nothing() {
        lambda.get();
        proxy.run();
    }

    @Test
    public void b_endOfALongList() {
        Node node = list;
        while (node.next != null) {
            node = node.next;
        }
        node.value = -1;
    }

    @Test
    public void d_oneByte() {
        bytes[12345] = 1;
    }

    @Test
    public void e_light() {
        light = Light.GREEN;
    }

    @Test
    public void f_insideAConstant() {
        Light.RED.seconds = 20;
    }

    @Test
    public void g_anotherList() {
        self.clear();
        self.add(new ArrayList<>());
    }

    @Test
    public void h_anotherLambda() {
        lambda = () -> "b";
    }

    @Test
    public void i_anotherProxy() {
        Object handled = new Object();
        proxy = (Runnable) Proxy.newProxyInstance(
                OddTest.class.getClassLoader(), new Class<?>[] {Runnable.class}, (p, m, a) -> handled);
    }

    @Test
    public void j_putsIntoABuffer() {
        offHeap.put((byte) 1);
    }

    @Test
    public void k_makesARing() {
        ring.get(0).add(ring);
    }
}
