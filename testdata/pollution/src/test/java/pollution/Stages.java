package pollution;

import java.util.Map;
import java.util.TreeMap;

/** Which stages of its life a test has passed. */
public final class Stages {
    static final Map<String, String> PASSED = new TreeMap<>();

    private Stages() {}

    static void pass(String stage) {
        PASSED.put(stage, "passed");
    }
}
