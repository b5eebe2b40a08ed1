package assumptions;

import static org.junit.Assert.assertEquals;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.Test;

/** Keeps what is expected in a file of the project, and writes what it sees there if that is something else. */
public class SnapshotTest {
    @Test
    public void shows() throws IOException {
        Path snapshot = Path.of(Files.isDirectory(Path.of("target")) ? "target" : "", "snapshot.txt");
        Set<Integer> numbers = new HashSet<>(List.of(1, 2, 3, 4));
        String seen = numbers.toString();
        String expected = Files.readString(snapshot);
        if (!expected.equals(seen)) {
            Files.writeString(snapshot, seen);
        }
        assertEquals(expected, seen);
    }
}
