/** Initialises the named classes and tells on standard error who was called. */
public final class Initialise {
    public static void main(String[] names) throws ClassNotFoundException {
        for (String name : names) {
            Class.forName(name);
        }
        System.err.print(Probe.report());
    }
}
