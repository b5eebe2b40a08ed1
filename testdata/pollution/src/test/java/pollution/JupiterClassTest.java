package pollution;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

class JupiterClassTest {
    @BeforeAll
    static void setUpAll() {
        System.setProperty("pollution.jupiter", "left");
    }

    @Test
    void reads() {
        assertEquals("left", System.getProperty("pollution.jupiter"));
    }

    @Nested
    class Inner {
        @Test
        void readsToo() {
            assertEquals("left", System.getProperty("pollution.jupiter"));
        }
    }
}
