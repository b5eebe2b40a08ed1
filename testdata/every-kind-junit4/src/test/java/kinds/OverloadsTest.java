package kinds;

import org.junit.Test;

/** JUnit 4 has no overloads; a subclass with a method of the same name comes closest. */
public class OverloadsTest extends OverloadsBase {
    @Test
    public void same() {}

    public void same(int notATest) {}
}
