package surefoot.drive;

import java.util.List;
import java.util.Map;
import java.util.Set;

/** What to run. */
final class Experiment {
    /** Of the tests, in their order; one that comes twice is run twice. */
    final List<String> addresses;

    /** Of what makes tests while it runs, where all of them are wanted each time. */
    final Set<String> whole;

    /** Each run gets its own class-level set-up; otherwise consecutive runs of a class share one. */
    final boolean setupPerRun;

    /** What the build tool passed to the framework. */
    final Map<String, String> configuration;

    Experiment(List<String> addresses, Set<String> whole, boolean setupPerRun, Map<String, String> configuration) {
        this.addresses = addresses;
        this.whole = whole;
        this.setupPerRun = setupPerRun;
        this.configuration = configuration;
    }
}
