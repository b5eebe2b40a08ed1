/** Runs the gauntlet, whose output must not change, and tells on standard error who was called. */
public final class Launch {
    public static void main(String[] arguments) throws Exception {
        Gauntlet.main(arguments);
        System.err.print(Probe.report());
    }
}
