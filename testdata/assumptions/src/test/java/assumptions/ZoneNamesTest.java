package assumptions;

import static org.junit.Assert.assertEquals;

import java.text.DateFormatSymbols;
import java.util.Locale;
import org.junit.Test;

/** Figure 2.10: a row of time zone names has at least five columns; in Java 7 it had just these, since Java 8 it has seven. */
public class ZoneNamesTest {
    @Test
    public void shortName() {
        String name = null;
        for (String[] row : DateFormatSymbols.getInstance(Locale.US).getZoneStrings()) {
            if (row.length == 7 && row[0].equals("America/Los_Angeles")) {
                name = row[2];
            }
        }
        assertEquals("PST", name);
    }
}
