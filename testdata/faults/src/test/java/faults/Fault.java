package faults;

/**
 * Says which fault to show. None by default, so that a plain run passes and the same classes can misbehave in a later
 * one: SUREFOOT_FAULT=exit in the environment, or -Dsurefoot.fault=exit.
 */
final class Fault {
    private Fault() {}

    static boolean is(String name) {
        return name.equals(System.getProperty("surefoot.fault", System.getenv("SUREFOOT_FAULT")));
    }
}
