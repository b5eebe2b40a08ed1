package choose;

/** What Java 8 cannot say. */
public record Row(@OrdersTest.A @OrdersTest.B @OrdersTest.C @OrdersTest.D String name) {
    /** By an instruction of its own since Java 9. */
    public static String concatenated(Object first, Object second) {
        return first + " and " + second;
    }
}
