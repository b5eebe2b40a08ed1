package pollution;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertNotNull;
import static org.junit.Assert.assertNull;

import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.regex.Pattern;
import org.junit.FixMethodOrder;
import org.junit.Test;
import org.junit.runners.MethodSorters;

/** What code fills when it is asked, and what looks like that and can be seen. */
@FixMethodOrder(MethodSorters.NAME_ASCENDING)
public class MemoTest {
    private static final Formats FORMATS = new Formats();
    static final Numbers NUMBERS = new Numbers();

    @Test
    public void a_usesTheClasses() {
        assertNotNull(Formats.class);
        assertNull(Owners.byName("nobody"));
        assertNull(Owners.first());
    }

    @Test
    public void b_remembersAPattern() {
        assertEquals("a+", Formats.pattern("a+").pattern());
    }

    @Test
    public void c_remembersInAnObject() {
        assertEquals("String", FORMATS.named(String.class));
    }

    @Test
    public void d_setsAFieldThatOthersCouldRead() {
        assertNotNull(Formats.shared());
    }

    @Test
    public void e_registersAnOwner() {
        Owners.register("ann", new Owners());
        assertNotNull(Owners.byName("ann"));
    }

    @Test
    public void f_setsThePrivateFieldOnce() {
        Owners.setFirst(new Owners());
    }

    @Test
    public void g_sumsWithACursor() {
        assertEquals(3, NUMBERS.sum());
    }

    static final class Numbers {
        private final Cursor cursor = new Cursor();

        int sum() {
            cursor.reset();
            int sum = 0;
            while (cursor.hasNext()) {
                sum += cursor.next();
            }
            return sum;
        }
    }

    static final class Cursor {
        private int at;

        void reset() {
            at = 0;
        }

        int next() {
            return at++;
        }

        boolean hasNext() {
            return at < 3;
        }
    }

    static final class Formats {
        private static final Map<String, Pattern> PATTERNS = new HashMap<>();
        static StringBuilder shared;
        private final ConcurrentMap<Class<?>, String> names = new ConcurrentHashMap<>();

        static Pattern pattern(String text) {
            Pattern pattern = PATTERNS.get(text);
            if (pattern == null) {
                pattern = Pattern.compile(text);
                PATTERNS.put(text, pattern);
            }
            return pattern;
        }

        static StringBuilder shared() {
            if (shared == null) {
                shared = new StringBuilder("format");
            }
            return shared;
        }

        String named(Class<?> type) {
            return names.computeIfAbsent(type, Class::getSimpleName);
        }
    }

    static final class Owners {
        private static final Map<String, Owners> BY_NAME = new HashMap<>();
        private static Owners first;

        static void register(String name, Owners owner) {
            if (BY_NAME.get(name) == null) {
                BY_NAME.put(name, owner);
            }
        }

        static Owners byName(String name) {
            return BY_NAME.get(name);
        }

        static void setFirst(Owners owner) {
            if (owner == null) {
                throw new NullPointerException("owner");
            }
            first = owner;
        }

        static Owners first() {
            return first;
        }
    }
}
