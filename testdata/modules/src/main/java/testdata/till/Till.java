package testdata.till;

import java.util.logging.Logger;

final class Till {
    private int cents;

    void put(int more) {
        cents += more;
        Logger.getLogger("till").fine("put");
    }

    int cents() {
        return cents;
    }
}
