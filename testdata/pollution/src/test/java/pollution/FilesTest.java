package pollution;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertFalse;
import static org.junit.Assert.assertTrue;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.Paths;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import org.junit.BeforeClass;
import org.junit.FixMethodOrder;
import org.junit.Test;
import org.junit.runners.MethodSorters;

/** What tests do to files. "NIO" is section 5.2 of the paper on tests that fail when they run again. */
@FixMethodOrder(MethodSorters.NAME_ASCENDING)
public class FilesTest {
    private static final Path DATA = Paths.get("data");

    @BeforeClass
    public static void prepare() throws IOException {
        Files.createDirectories(DATA);
        for (String name : new String[] {"same.txt", "mode.txt", "before.txt", "one", "two"}) {
            write(DATA.resolve(name), "there before");
        }
        Path link = DATA.resolve("link");
        if (!Files.isSymbolicLink(link)) {
            Files.createSymbolicLink(link, Paths.get("one"));
        }
    }

    private static void write(Path path, String text) throws IOException {
        Files.write(path, text.getBytes());
    }

    @Test
    public void a_cleansUp() throws IOException {
        Path path = Paths.get("mine.txt");
        write(path, "mine");
        Files.delete(path);
        assertFalse(Files.exists(path));
    }

    @Test
    public void b_leavesAFile() throws IOException {
        write(Paths.get("left.txt"), "hello");
    }

    /** NIO: counters are written to the file system and never reset. */
    @Test
    public void c_counts() throws IOException {
        Files.write(
            DATA.resolve("counters"),
            new byte[] {1},
            StandardOpenOption.CREATE,
            StandardOpenOption.APPEND);
    }

    /** NIO: a file is renamed, and not back. */
    @Test
    public void d_renames() throws IOException {
        Path from = DATA.resolve("before.txt");
        assertTrue(Files.exists(from));
        Files.move(from, DATA.resolve("after.txt"), StandardCopyOption.REPLACE_EXISTING);
    }

    @Test
    public void e_writesTheSameBytes() throws IOException {
        write(DATA.resolve("same.txt"), "there before");
    }

    @Test
    public void f_changesAMode() throws IOException {
        Files.setPosixFilePermissions(
            DATA.resolve("mode.txt"), PosixFilePermissions.fromString("rwx------"));
    }

    @Test
    public void g_leadsALinkElsewhere() throws IOException {
        Path link = DATA.resolve("link");
        Files.delete(link);
        Files.createSymbolicLink(link, Paths.get("two"));
    }

    @Test
    public void h_leavesATemporaryFile() throws IOException {
        File file = File.createTempFile("shop", ".tmp");
        file.deleteOnExit();
        Files.createTempFile("shop", ".db");
    }

    @Test
    public void i_wantsToBeTheFirst() throws IOException {
        Files.createFile(Paths.get("once.lock"));
    }

    @Test
    public void j_leavesADirectory() throws IOException {
        Path directory = Files.createDirectories(Paths.get("made/by/a"));
        write(directory.resolve("test.txt"), "1");
        write(directory.resolve("other.txt"), "2");
    }

    @Test
    public void k_writesWhereBuildsAndLogsDo() throws IOException {
        Files.createDirectories(Paths.get("target/index"));
        write(Paths.get("target/index/segment"), "x");
        Files.createDirectories(Paths.get("target/classes"));
        write(Paths.get("target/classes/x.txt"), "x");
        write(Paths.get("shop.log"), "x");
    }

    @Test
    public void l_leavesAFileWithAFixedNameInTheTemporaryDirectory() throws IOException {
        Path path = Paths.get(System.getProperty("java.io.tmpdir"), "shop.db");
        write(path, "prices");
        assertEquals(6, Files.size(path));
    }

    @Test
    public void m_takesItsTime() throws InterruptedException {
        Thread.sleep(200);
    }
}
