package rerun;

import static org.junit.Assert.assertFalse;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.Paths;
import org.junit.Test;

/** A file that one run leaves and the next one removes: with what is there by chance, it passes every other time. */
public class TogglesTest {
    @Test
    public void createsOrRemovesItsFile() throws IOException {
        Path file = Paths.get("toggle.txt");
        boolean wasThere = Files.deleteIfExists(file);
        if (!wasThere) {
            Files.createFile(file);
        }
        assertFalse(wasThere);
    }
}
