package rerun;

import static org.junit.Assert.assertEquals;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.Paths;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.After;
import org.junit.Before;
import org.junit.Test;

/** Figure 5: entries that reach the disk only when the VM ends, so that the next VM has them twice. */
public class DatabaseTest {
    private static final Path INDEX = Paths.get("index.txt");
    private static final List<String> saved = load();
    private List<String> users;

    private static List<String> load() {
        try {
            return Files.exists(INDEX) ? Files.readAllLines(INDEX) : new ArrayList<>();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Before
    public void createUsers() {
        users = new ArrayList<>(saved);
        users.addAll(Arrays.asList("Bob", "Barbara", "Anton", "Robert", "John"));
    }

    @Test
    public void noWhere() {
        assertEquals(5, users.size());
    }

    @After
    public void saveWhenTheVmEnds() {
        Runtime.getRuntime().addShutdownHook(new Thread(() -> {
            try {
                Files.write(INDEX, users);
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }));
    }
}
