package rerun;

import static org.junit.Assert.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.AfterClass;
import org.junit.BeforeClass;
import org.junit.Test;

/** Section 5.2: the file that the class-level set-up makes is renamed, and not back. */
public class RenameTest {
    private static Path folder;

    @BeforeClass
    public static void makeFile() throws IOException {
        folder = Files.createTempDirectory("rerun");
        Files.createFile(folder.resolve("before"));
    }

    @AfterClass
    public static void removeFiles() throws IOException {
        Files.deleteIfExists(folder.resolve("before"));
        Files.deleteIfExists(folder.resolve("after"));
        Files.delete(folder);
    }

    @Test
    public void renames() throws IOException {
        Files.move(folder.resolve("before"), folder.resolve("after"));
        assertTrue(Files.exists(folder.resolve("after")));
    }
}
