package assumptions;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertTrue;

import java.io.File;
import java.io.StringWriter;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import javax.tools.JavaCompiler;
import javax.tools.ToolProvider;
import org.junit.Test;

/** A large program that reads hash tables everywhere and has to work in whatever order they are: the compiler. */
public class JavacTest {
    private static final String SHAPE = "package shapes;\n"
            + "import java.util.*; import java.util.function.*; import java.util.stream.*;\n"
            + "public abstract class Shape<T extends Comparable<? super T>> implements Comparable<Shape<T>> {\n"
            + "  public enum Kind { ROUND { int corners() { return 0; } }, SQUARE { int corners() { return 4; } }; abstract int corners(); }\n"
            + "  protected final Map<String, List<? extends T>> parts = new HashMap<>();\n"
            + "  public abstract T size();\n"
            + "  public int compareTo(Shape<T> other) { return size().compareTo(other.size()); }\n"
            + "  static <A, B extends A> Function<A, List<A>> listing(B first) { return a -> Arrays.asList(a, first); }\n"
            + "  public class Part { class Inner { T whole() { return size(); } } }\n"
            + "}\n";

    private static final String MAIN = "package shapes;\n"
            + "import java.util.*; import java.util.stream.*;\n"
            + "public class Main extends Shape<Integer> {\n"
            + "  public Integer size() { return Arrays.stream(Kind.values()).mapToInt(Kind::corners).sum(); }\n"
            + "  public static String run() {\n"
            + "    Runnable r = () -> { Object o = new Main().new Part().new Inner().whole(); };\n"
            + "    r.run();\n"
            + "    switch (String.valueOf(new Main().size())) { case \"4\": return \"four\" + Shape.listing(1).apply(2); default: return \"none\"; }\n"
            + "  }\n"
            + "}\n";

    @Test
    public void compiles() throws Exception {
        Path folder = Files.createTempDirectory("javac");
        try {
            List<String> sources = new ArrayList<>();
            for (String[] file : new String[][] {{"Shape.java", SHAPE}, {"Main.java", MAIN}}) {
                Path source = Files.write(folder.resolve(file[0]), file[1].getBytes("UTF-8"));
                sources.add(source.toString());
            }
            JavaCompiler javac = ToolProvider.getSystemJavaCompiler();
            StringWriter said = new StringWriter();
            boolean compiled = javac.getTask(
                            said,
                            null,
                            null,
                            Arrays.asList("-d", folder.toString(), "-Xlint:all", "-parameters"),
                            null,
                            javac.getStandardFileManager(null, null, null)
                                    .getJavaFileObjectsFromStrings(sources))
                    .call();
            assertTrue(said.toString(), compiled);
            try (URLClassLoader loader = new URLClassLoader(new URL[] {folder.toUri().toURL()})) {
                assertEquals("four[2, 1]", loader.loadClass("shapes.Main").getMethod("run").invoke(null));
            }
        } finally {
            delete(folder.toFile());
        }
    }

    private static void delete(File file) {
        File[] below = file.listFiles();
        if (below != null) {
            Arrays.stream(below).forEach(JavacTest::delete);
        }
        file.delete();
    }
}
