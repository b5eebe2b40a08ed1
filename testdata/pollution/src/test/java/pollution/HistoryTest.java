package pollution;

import static org.junit.Assert.assertEquals;

import java.util.HashMap;
import java.util.Map;
import org.junit.FixMethodOrder;
import org.junit.Test;
import org.junit.runners.MethodSorters;

/** Figure 8 of the paper on tests that fail when they run again: ids of jobs stay in a static map. */
@FixMethodOrder(MethodSorters.NAME_ASCENDING)
public class HistoryTest {
    static final class JobId {
        final int number;

        JobId(int number) {
            this.number = number;
        }
    }

    static final Map<JobId, String> fileMap = new HashMap<>();

    @Test
    public void a_stops() {
        JobId id = new JobId(1);
        fileMap.put(id, "file");
        assertEquals("file", fileMap.remove(id));
    }

    @Test
    public void b_isKilled() {
        fileMap.put(new JobId(2), "file");
    }
}
