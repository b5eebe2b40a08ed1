package assumptions;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertNotEquals;
import static org.junit.Assert.assertTrue;

import java.util.HashSet;
import java.util.IdentityHashMap;
import java.util.Map;
import java.util.Set;
import org.junit.Test;

/** What tests make of the hash codes that the VM gives to objects. */
public class HashCodesTest {
    static class Token {}

    /** A number that happens to be large. */
    @Test
    public void hasALongText() {
        assertTrue(new Token().toString().matches(".*@[0-9a-f]{5,8}"));
    }

    /** "It is not required that if two objects are unequal […] the hashCode method […] must produce distinct integer results." */
    @Test
    public void areTold() {
        assertNotEquals(new Token().hashCode(), new Token().hashCode());
    }

    @Test
    public void sound() {
        Set<Token> tokens = new HashSet<>();
        Map<Token, Integer> numbers = new IdentityHashMap<>();
        for (int i = 0; i < 100; i++) {
            Token token = new Token();
            assertTrue(tokens.add(token));
            numbers.put(token, i);
            assertEquals(token.hashCode(), token.hashCode());
            assertEquals(token.hashCode(), System.identityHashCode(token));
        }
        assertEquals(numbers.keySet(), tokens);
    }
}
