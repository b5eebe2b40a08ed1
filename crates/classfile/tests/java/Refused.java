/** Methods that can take no call, or not any call. */
public abstract class Refused {
    final int[] held;

    Refused(int[] held, long wide, String text) {
        this.held = held;
    }

    abstract void isAbstract();

    native void isNative();

    static void isStatic(int number, long wide, String text) {}

    static void neverReturns() {
        throw new IllegalStateException();
    }

    void isInstance(int number, long wide, String text) {}
}
