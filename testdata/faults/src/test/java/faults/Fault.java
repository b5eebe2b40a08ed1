package faults;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.Paths;

/**
 * Says which fault to show. None by default, so that a plain run passes and the same classes can misbehave in a later
 * one: SUREFOOT_FAULT=exit in the environment, or -Dsurefoot.fault=exit.
 *
 * <p>A VM that is started again just as it was is told nothing new by either. So SUREFOOT_FAULT_FILE can name a file that
 * holds the fault's name, and whoever wants a fault writes it there.
 */
final class Fault {
    private Fault() {}

    static boolean is(String name) {
        String wanted = wanted();
        if ("slow".equals(wanted)) {
            sleepABit();
        }
        return name.equals(wanted);
    }

    /** No fault, but time for somebody else to cause one. */
    private static void sleepABit() {
        try {
            Thread.sleep(5);
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    private static String wanted() {
        String file = System.getenv("SUREFOOT_FAULT_FILE");
        if (file == null) {
            return System.getProperty("surefoot.fault", System.getenv("SUREFOOT_FAULT"));
        }
        Path path = Paths.get(file);
        try {
            return Files.exists(path) ? new String(Files.readAllBytes(path), StandardCharsets.UTF_8).trim() : null;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
