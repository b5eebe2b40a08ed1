/** Methods that can have no prologue, or not any prologue. */
public abstract class Refused {
    final int[] held;

    Refused(int[] held, long wide, String text) {
        this.held = held;
    }

    abstract void isAbstract();

    native void isNative();

    static void isStatic(int number, long wide, String text) {}

    void isInstance(int number, long wide, String text) {}
}
