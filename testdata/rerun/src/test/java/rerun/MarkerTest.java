package rerun;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Paths;
import org.junit.Test;

/** A file in the working directory, which must not be there and is left there. */
public class MarkerTest {
    @Test
    public void createsItsFile() throws IOException {
        Files.createFile(Paths.get("marker.txt"));
    }
}
