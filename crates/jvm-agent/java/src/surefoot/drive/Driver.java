package surefoot.drive;

import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.SurefootProbe;
import java.util.SurefootProbe.Kind;
import java.util.TreeMap;

/**
 * Runs tests in a worker, exactly those it is told and in that order, with the user's own JUnit or TestNG.
 *
 * <p>It reports no results: the agent watches the framework here just as it does in the user's own run, so a result means
 * the same in both.
 */
public final class Driver implements Runnable {
    private final Map<String, String> configuration = new TreeMap<>();

    @Override
    public void run() {
        for (String[] command = SurefootProbe.next(); command != null; command = SurefootProbe.next()) {
            switch (command[0]) {
                case "properties":
                    for (int i = 1; i + 1 < command.length; i += 2) {
                        System.setProperty(command[i], command[i + 1]);
                    }
                    break;
                case "configuration":
                    for (int i = 1; i + 1 < command.length; i += 2) {
                        configuration.put(command[i], command[i + 1]);
                    }
                    break;
                case "run":
                    SurefootProbe.emit(Kind.DONE, run(command[1], experiment(command)));
                    break;
                default:
                    SurefootProbe.emit(Kind.TROUBLE, "the driver does not know the command " + command[0]);
            }
        }
        // As build tools end a test VM: shutdown hooks run, threads that tests left behind do not keep it alive.
        System.exit(0);
    }

    private Experiment experiment(String[] command) {
        List<String> words = Arrays.asList(command);
        int addresses = 4 + Integer.parseInt(command[3]);
        return new Experiment(
                words.subList(addresses, words.size()),
                new HashSet<>(words.subList(4, addresses)),
                command[2].equals("per-run"),
                configuration);
    }

    /** Why tests may not have run, or null. */
    private String run(String framework, Experiment experiment) {
        try {
            return suite(framework).run(experiment);
        } catch (Throwable e) {
            StackTraceElement[] stack = e.getStackTrace();
            return framework + " could not run them: " + e + (stack.length == 0 ? "" : " at " + stack[0]);
        }
    }

    /** The framework's classes are only touched once one of its tests is run: the others may not be there. */
    private static Suite suite(String framework) {
        switch (framework) {
            case "junit-platform":
                return new PlatformSuite();
            case "junit4":
                return new JUnit4Suite();
            case "junit3":
                return new JUnit3Suite();
            case "testng":
                return new TestNgSuite();
            default:
                throw new IllegalArgumentException("no such framework");
        }
    }
}
