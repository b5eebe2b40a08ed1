package kinds;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.MethodOrderer.OrderAnnotation;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestInstance.Lifecycle;
import org.junit.jupiter.api.TestMethodOrder;

@TestInstance(Lifecycle.PER_CLASS)
@TestMethodOrder(OrderAnnotation.class)
class PerClassTest {
    private int counter;

    @BeforeAll
    void start() {
        counter = 10;
    }

    @Test
    @Order(1)
    void first() {
        assertEquals(11, ++counter);
    }

    @Test
    @Order(2)
    void second() {
        assertEquals(12, ++counter);
    }
}
