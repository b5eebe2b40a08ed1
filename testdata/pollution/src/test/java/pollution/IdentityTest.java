package pollution;

import org.junit.FixMethodOrder;
import org.junit.Test;
import org.junit.runners.MethodSorters;

/** Which of two objects that look the same is in a field can matter; so can whether two fields hold the same one. */
@FixMethodOrder(MethodSorters.NAME_ASCENDING)
public class IdentityTest {
    static final class State {}

    static final State[] STATES = {new State(), new State()};
    static State current = STATES[0];

    static int[] shared = {1, 2};
    static int[] alias = shared;

    @Test
    public void a_reads() {
        current.hashCode();
    }

    @Test
    public void b_moves() {
        current = STATES[1];
    }

    @Test
    public void c_parts() {
        alias = shared.clone();
    }
}
