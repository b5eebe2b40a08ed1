package rerun;

import static org.junit.Assert.assertEquals;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.Paths;
import java.nio.file.StandardOpenOption;
import java.util.Collections;
import org.junit.Test;

/** Changes and removes files that were there before: nothing new is left that could tell. */
public class JournalTest {
    @Test
    public void appendsToAFile() throws IOException {
        Path file = Paths.get("journal.txt");
        int lines = Files.readAllLines(file).size();
        Files.write(file, Collections.singleton("entry"), StandardOpenOption.APPEND);
        assertEquals(1, lines);
    }

    @Test
    public void removesAFile() throws IOException {
        Files.delete(Paths.get("seed.txt"));
    }
}
