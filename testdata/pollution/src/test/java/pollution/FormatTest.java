package pollution;

import static org.junit.Assert.assertEquals;

import java.text.DateFormat;
import java.text.DecimalFormat;
import java.text.NumberFormat;
import java.text.ParseException;
import java.text.SimpleDateFormat;
import java.util.Date;
import java.util.Locale;
import java.util.TimeZone;
import org.junit.FixMethodOrder;
import org.junit.Test;
import org.junit.runners.MethodSorters;

/** Formats note down what they last formatted, and nobody sees it; their settings are another matter. */
@FixMethodOrder(MethodSorters.NAME_ASCENDING)
public class FormatTest {
    static final DateFormat DATES = new SimpleDateFormat("yyyy", Locale.ROOT);
    static final NumberFormat NUMBERS = new DecimalFormat("0.00");

    @Test
    public void a_formats() {
        assertEquals("1970", DATES.format(new Date(86_400_000)));
        assertEquals(4, NUMBERS.format(3.5).length());
    }

    @Test
    public void b_parses() throws ParseException {
        assertEquals("2001", DATES.format(DATES.parse("2001")));
    }

    @Test
    public void c_setsTheTimeZone() {
        DATES.setTimeZone(TimeZone.getTimeZone("GMT+3"));
    }
}
