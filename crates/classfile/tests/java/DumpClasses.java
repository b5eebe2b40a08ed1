import java.io.BufferedOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.net.URI;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Collectors;

/** Writes every class of the named modules of this JDK to standard output: name, length, bytes. */
public final class DumpClasses {
    public static void main(String[] modules) throws IOException {
        Path root = FileSystems.getFileSystem(URI.create("jrt:/")).getPath("/modules");
        try (DataOutputStream out =
                new DataOutputStream(new BufferedOutputStream(System.out, 1 << 16))) {
            for (String module : modules) {
                for (Path path : classes(root.resolve(module))) {
                    byte[] bytes = Files.readAllBytes(path);
                    out.writeUTF(path.toString());
                    out.writeInt(bytes.length);
                    out.write(bytes);
                }
            }
        }
    }

    private static List<Path> classes(Path module) throws IOException {
        try (var paths = Files.walk(module)) {
            return paths.filter(path -> path.toString().endsWith(".class"))
                    .sorted()
                    .collect(Collectors.toList());
        }
    }
}
