package java.lang;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * Links the classes that a file lists by number and name, without initialising them, and so shows them to the verifier.
 * Tells how many were linked, which were refused, and which had been initialised already and how often.
 */
public final class LinkClasses {
    public static void main(String[] arguments) throws IOException {
        ClassLoader loader = ClassLoader.getSystemClassLoader();
        int linked = 0;
        StringBuilder report = new StringBuilder();
        for (String line : Files.readAllLines(Path.of(arguments[0]))) {
            int space = line.indexOf(' ');
            String name = line.substring(space + 1);
            try {
                // The methods of a class are only told once it is linked.
                Class.forName(name, false, loader).getDeclaredMethods();
                linked++;
            } catch (ClassNotFoundException | LinkageError e) {
                report.append("refused ").append(name).append(' ').append(e).append('\n');
            }
            int times = InitialisedProbe.times(Integer.parseInt(line.substring(0, space)));
            if (times > 0) {
                report.append("initialised ").append(name).append(' ').append(times).append('\n');
            }
        }
        System.out.print("linked " + linked + "\n" + report);
    }
}
