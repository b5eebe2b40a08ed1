package rerun;

import java.util.HashMap;
import java.util.Map;
import java.util.UUID;
import org.junit.Test;

/** Figure 8: ids that stay in a static map when what they stand for is gone. */
public class JobHistoryTest {
    static final Map<UUID, String> fileMap = new HashMap<>();

    static final class Handler {
        private final Map<UUID, String> jobs = new HashMap<>();

        void add(UUID id) {
            jobs.put(id, "job");
            fileMap.put(id, "file");
        }

        void stop() {
            for (UUID id : fileMap.keySet()) {
                jobs.get(id).length();
            }
        }
    }

    @Test
    public void sigTermedFunctionality() {
        Handler handler = new Handler();
        handler.add(UUID.randomUUID());
        handler.stop();
    }
}
