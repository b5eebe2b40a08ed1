package surefoot.watch;

import java.io.File;
import java.net.URI;
import java.net.URL;
import java.net.URLClassLoader;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.jar.Attributes;
import java.util.jar.JarFile;
import java.util.jar.Manifest;

/**
 * What only Java can tell of how this VM was set up, taken before the first class-level set-up runs: later, tests have
 * changed it.
 *
 * <p>Facts go out as a flat list of triples: section, key, value.
 */
final class LaunchFacts {
    private static final AtomicBoolean TAKEN = new AtomicBoolean();

    private final List<String> facts = new ArrayList<>();

    private LaunchFacts() {}

    /** All facts the first time, null after. */
    static String[] once(Map<String, String> configuration) {
        if (!TAKEN.compareAndSet(false, true)) {
            return null;
        }
        LaunchFacts facts = new LaunchFacts();
        facts.properties();
        facts.pathingJars();
        facts.loaderPath();
        for (Map.Entry<String, String> entry : configuration.entrySet()) {
            facts.add("configuration", entry.getKey(), entry.getValue());
        }
        return facts.facts.toArray(new String[0]);
    }

    static boolean taken() {
        return TAKEN.get();
    }

    private void add(String section, String key, String value) {
        facts.add(section);
        facts.add(key);
        facts.add(value);
    }

    private void properties() {
        Properties properties = System.getProperties();
        for (String name : properties.stringPropertyNames()) {
            add("property", name, properties.getProperty(name));
        }
    }

    /**
     * A class path of one or two jars may be a manifest that stands for the real one, in a file that the build tool
     * deletes when the VM ends.
     */
    private void pathingJars() {
        List<String> paths = new ArrayList<>();
        for (String property : new String[] {"surefire.real.class.path", "java.class.path"}) {
            String value = System.getProperty(property);
            if (value != null && !value.isEmpty()) {
                String[] entries = value.split(File.pathSeparator);
                if (entries.length <= 2) {
                    for (String entry : entries) {
                        paths.add(entry);
                    }
                }
            }
        }
        for (String path : paths) {
            File file = new File(path);
            if (!file.isFile()) {
                continue;
            }
            try (JarFile jar = new JarFile(file)) {
                Manifest manifest = jar.getManifest();
                String classPath = manifest == null ? null : manifest.getMainAttributes().getValue(Attributes.Name.CLASS_PATH);
                if (classPath == null) {
                    continue;
                }
                URI base = file.toURI();
                for (String entry : classPath.trim().split("\\s+")) {
                    add("pathing-jar", path, new File(base.resolve(entry).getPath()).getPath());
                }
            } catch (Exception e) {
                add("trouble", "", "the class path in " + path + " cannot be read: " + e);
            }
        }
    }

    /** The loader of the test code, where the runner made one of its own. */
    private void loaderPath() {
        ClassLoader system = ClassLoader.getSystemClassLoader();
        List<URLClassLoader> chain = new ArrayList<>();
        for (ClassLoader loader = Thread.currentThread().getContextClassLoader();
                loader != null && loader != system;
                loader = loader.getParent()) {
            if (loader instanceof URLClassLoader) {
                chain.add(0, (URLClassLoader) loader);
            }
        }
        for (URLClassLoader loader : chain) {
            // Surefire's isolated loader does not ask the system class loader at all.
            String section = loader.getClass().getName().endsWith("IsolatedClassLoader") ? "loader-first" : "loader-path";
            for (URL url : loader.getURLs()) {
                if ("file".equals(url.getProtocol())) {
                    try {
                        add(section, "", new File(url.toURI()).getPath());
                    } catch (Exception e) {
                        add(section, "", url.getPath());
                    }
                }
            }
        }
    }
}
