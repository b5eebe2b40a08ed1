package rerun;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertTrue;

import java.nio.file.Files;
import java.nio.file.Paths;
import org.junit.Before;
import org.junit.Test;

/** Needs a file beside its directory, which is not beside a copy. */
public class NeighbourTest {
    private static int runs;

    @Before
    public void hasNeighbour() {
        assertTrue(Files.exists(Paths.get("../neighbour.txt")));
    }

    @Test
    public void passesHoweverOften() {}

    @Test
    public void countsItsRuns() {
        assertEquals(1, ++runs);
    }
}
