package assumptions;

import static org.junit.Assert.assertEquals;

import java.lang.reflect.Field;
import org.junit.Test;

/** Figure 2.1: a library makes text of an object, field by field, in the order of reflection. */
public class BookTest {
    static final class Book {
        final String title = "Cosmos";
        final String author = "Sagan";
        final int year = 1980;
    }

    static String json(Object object) throws IllegalAccessException {
        StringBuilder text = new StringBuilder("{");
        for (Field field : object.getClass().getDeclaredFields()) {
            text.append(field.getName()).append('=').append(field.get(object)).append(' ');
        }
        return text.append('}').toString();
    }

    @Test
    public void stringRepresentation() throws Exception {
        assertEquals("{title=Cosmos author=Sagan year=1980 }", json(new Book()));
    }
}
