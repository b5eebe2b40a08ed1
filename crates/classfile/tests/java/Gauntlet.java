import java.io.IOException;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.function.IntBinaryOperator;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** What a call that is put in could break, in methods that print what they do. */
public class Gauntlet {
    @Target(ElementType.TYPE_USE)
    @Retention(RetentionPolicy.RUNTIME)
    @interface Seen {
        String[] value() default {};
        Nested nested() default @Nested;
    }

    @Retention(RetentionPolicy.RUNTIME)
    @interface Nested {
        int number() default 0;
        Class<?> type() default Object.class;
    }

    @Target(ElementType.TYPE_USE)
    @Retention(RetentionPolicy.CLASS)
    @interface Unseen {}

    enum Colour {
        RED,
        GREEN {
            @Override
            String mood() {
                return "calm";
            }
        },
        BLUE;

        String mood() {
            return switch (this) {
                case RED -> "hot";
                case BLUE -> "cold";
                default -> throw new IllegalStateException("overridden");
            };
        }
    }

    interface Shape {
        double area();

        default String describe() {
            return label() + String.format(" %.2f", area());
        }

        private String label() {
            return getClass().getSimpleName();
        }

        static Shape largest(Shape... shapes) {
            Shape best = null;
            for (Shape shape : shapes) {
                if (best == null || shape.area() > best.area()) {
                    best = shape;
                }
            }
            return best;
        }
    }

    record Circle(double radius) implements Shape {
        Circle {
            if (radius < 0) {
                throw new IllegalArgumentException("negative radius " + radius);
            }
        }

        @Override
        public double area() {
            return Math.PI * radius * radius;
        }
    }

    record Box(long width, double height) implements Shape, Comparable<Box> {
        @Override
        public double area() {
            return width * height;
        }

        @Override
        public int compareTo(Box other) {
            return Double.compare(area(), other.area());
        }
    }

    static class Resource implements AutoCloseable {
        private final List<String> log;
        private final String name;

        Resource(List<String> log, String name) {
            this.log = log;
            this.name = log.isEmpty() ? name : name + log.size();
            log.add("open " + this.name);
        }

        @Override
        public void close() throws IOException {
            log.add("close " + name);
            if (name.startsWith("bad")) {
                throw new IOException(name);
            }
        }
    }

    class Inner {
        final int captured;

        Inner(boolean twice) {
            this(twice ? 2 : 1);
        }

        Inner(int times) {
            captured = times * field;
        }
    }

    static final TreeMap<String, Integer> TABLE = new TreeMap<>();

    static {
        for (Colour colour : Colour.values()) {
            TABLE.put(colour.name(), colour.ordinal());
        }
    }

    final int field = 21;

    static int dense(int key) {
        switch (key) {
            case 0: return 10;
            case 1: return 11;
            case 2:
            case 3: return 12;
            case 4: return 14;
            default: return -1;
        }
    }

    static int sparse(long wide, int key) {
        switch (key) {
            case -1000: return 1;
            case 0: return 2;
            case 77: return 3;
            case 1_000_000: return (int) wide;
            default: return -1;
        }
    }

    static int word(String key) {
        switch (key) {
            case "Aa": return 1; // has the hash of "BB"
            case "BB": return 2;
            case "zebra": return 3;
            default: return 0;
        }
    }

    /** A switch in a loop, so that its padding is at many alignments. */
    static int machine(String program) {
        int sum = 0;
        for (int at = 0; at < program.length(); at++) {
            switch (program.charAt(at)) {
                case 'a': sum += 1; break;
                case 'b': sum *= 2; continue;
                case 'c': sum -= 3; break;
                case 'z': return sum;
                default: sum += dense(at);
            }
            switch (sum) {
                case 100: sum = 0; break;
                case -100: sum = 1; break;
                case 7: sum = 70; break;
                default:
            }
        }
        return sum;
    }

    static int loopToStart(int left) {
        do {
            left -= 3;
        } while (left > 0);
        return left;
    }

    static int loopForever(int left) {
        for (;;) {
            if (left % 7 == 0) {
                return left;
            }
            left--;
        }
    }

    static long wideLoop(long a, double b, Object c) {
        while (a < 100) {
            a += (long) b + c.hashCode();
        }
        return a;
    }

    static String caughtFromTheStart(String text) {
        try {
            return "number " + Integer.parseInt(text);
        } catch (NumberFormatException broken) {
            return "no number";
        } finally {
            TABLE.merge("parsed", 1, Integer::sum);
        }
    }

    static String manyHandlers(int which) {
        StringBuilder out = new StringBuilder();
        for (int round = 0; round < 2; round++) {
            try {
                try {
                    if (which == 0) {
                        throw new IllegalStateException("state");
                    } else if (which == 1) {
                        Object text = "text";
                        out.append((Integer) text);
                    } else if (which == 2) {
                        out.append(new int[0][which].length);
                    }
                    out.append("fine ");
                } catch (IllegalStateException | ClassCastException either) {
                    out.append(either.getClass().getSimpleName()).append(' ');
                    continue;
                } finally {
                    out.append("finally ");
                }
            } catch (RuntimeException other) {
                out.append("outer ").append(other.getStackTrace()[0].getLineNumber()).append(' ');
            }
        }
        return out.toString();
    }

    static List<String> resources(String first, String second) {
        List<String> log = new ArrayList<>();
        try (Resource a = new Resource(log, first);
                Resource b = new Resource(log, second)) {
            log.add("body");
            if (first.equals(second)) {
                throw new IllegalArgumentException("same");
            }
        } catch (Exception e) {
            log.add(e + " " + Arrays.toString(e.getSuppressed()));
        }
        return log;
    }

    /** Frames with objects on the stack that no constructor has run for yet. */
    static String unborn(boolean flag, int[] numbers) {
        String nested =
                new StringBuilder(flag ? "yes" : "no")
                        .append(
                                new String(
                                        new char[] {flag ? 'a' : 'b', numbers.length > 2 ? 'c' : 'd'},
                                        flag ? 0 : 1,
                                        flag ? 2 : 1))
                        .toString();
        return new Box(flag ? 1L : numbers[0], new Circle(flag ? 1 : 2).area()) + nested;
    }

    static String unbornInALoop(int rounds) {
        String text = "";
        for (int round = 0; round < rounds; round++) {
            text = new String(new String(text + (round % 2 == 0 ? "e" : "o")) + (round > 2 ? "!" : "?"));
        }
        return text;
    }

    static <T extends Comparable<T>> String annotated(@Seen T first, Object... others) {
        @Seen({"a", "b"}) T best = first;
        @Unseen List<@Seen String> names = new @Seen(nested = @Nested(number = 3)) ArrayList<@Seen String>();
        for (@Seen Object other : others) {
            @Unseen String name = (@Seen String) String.valueOf(other);
            if (other instanceof @Seen Integer) {
                names.add("int " + name);
            } else {
                try {
                    Function<Object, @Seen String> shout = @Unseen Object::toString;
                    Supplier<List<String>> make = @Seen ArrayList<String>::new;
                    names.addAll(make.get());
                    names.add(shout.apply(name).toUpperCase());
                } catch (@Seen RuntimeException e) {
                    names.add("never");
                }
            }
        }
        return best + " " + names;
    }

    static String lambdas(int factor) {
        IntBinaryOperator weigh = (a, b) -> {
            int sum = 0;
            for (int i = a; i < b; i++) {
                sum += i * factor;
            }
            return sum;
        };
        return IntStream.rangeClosed(1, 5)
                .mapToObj(n -> n + ":" + weigh.applyAsInt(0, n))
                .collect(Collectors.joining(" "));
    }

    synchronized String monitors(Object lock) {
        String text = "in";
        synchronized (lock) {
            text += Thread.holdsLock(lock) && Thread.holdsLock(this) ? " both" : " not";
            synchronized (this) {
                if (text.length() > 100) {
                    return "never";
                }
            }
        }
        return text + (Thread.holdsLock(lock) ? " still" : " out");
    }

    static int lines(int depth, String text) {
        if (depth == 0) {
            return text.length();
        }
        return depth
                + lines(
                        depth - 1,
                        text);
    }

    static String stackTrace() {
        try {
            return "" + lines(3, null);
        } catch (NullPointerException e) {
            return Arrays.stream(e.getStackTrace())
                    .limit(5)
                    .map(frame -> frame.getMethodName() + ":" + frame.getLineNumber())
                    .collect(Collectors.joining(" "));
        }
    }

    static String patterns(Object it) {
        if (it instanceof String s && s.length() > 2) {
            return "long " + s;
        }
        if (!(it instanceof Number n)) {
            return "other";
        }
        return "number " + n.intValue();
    }

    static int manyVariables(int a, long b, double c, String d, int[] e, Object f) {
        int sum = a + (int) b + (int) c + d.length() + e.length;
        outer:
        for (int i = 0; i < 5; i++) {
            for (long j = i; j < 9; j++) {
                float g = i * j;
                if (g > 12) {
                    continue outer;
                }
                boolean even = j % 2 == 0;
                sum += even ? (int) g : f == null ? 1 : 2;
            }
        }
        return sum;
    }

    public static void main(String[] arguments) throws Exception {
        for (int key = -1; key < 6; key++) {
            System.out.println("switch " + dense(key) + " " + sparse(key, key * 77));
        }
        System.out.println(sparse(5, 1_000_000) + " " + word("Aa") + word("BB") + word("zebra") + word(""));
        System.out.println("machine " + machine("aabbcaxyzzy") + " " + machine("aaabbbbccccq"));
        System.out.println("loops " + loopToStart(100) + " " + loopForever(20) + " " + loopForever(7));
        System.out.println("wide " + wideLoop(3, 2.5, "x"));
        System.out.println(caughtFromTheStart("12") + " " + caughtFromTheStart("x") + " " + TABLE);
        for (int which = 0; which < 4; which++) {
            System.out.println(manyHandlers(which));
        }
        System.out.println(resources("one", "two") + " " + resources("bad", "bad") + resources("bad", "good"));
        System.out.println(unborn(true, new int[] {1, 2, 3}) + unborn(false, new int[] {9}) + unbornInALoop(5));
        System.out.println(annotated("first", 1, "two", 3L));
        System.out.println(lambdas(2) + " " + new Gauntlet().monitors(new Object()));
        System.out.println(stackTrace());
        System.out.println(patterns("text") + patterns("t") + patterns(4.5));
        System.out.println(manyVariables(1, 2, 3.5, "four", new int[5], null));
        System.out.println(Shape.largest(new Circle(2), new Box(3, 4.5), new Circle(1)).describe());
        for (Colour colour : Colour.values()) {
            System.out.println(colour + " " + colour.mood() + " " + Colour.valueOf(colour.name()).ordinal());
        }
        try {
            new Circle(-1);
        } catch (IllegalArgumentException e) {
            System.out.println(e.getMessage() + " " + e.getStackTrace()[0].getLineNumber());
        }
        Gauntlet gauntlet = new Gauntlet();
        System.out.println(gauntlet.new Inner(true).captured + " " + gauntlet.new Inner(5).captured);
        Comparable<Box> bridge = new Box(1, 1);
        System.out.println(bridge.compareTo(new Box(1, 2)) + " " + bridge.equals(new Box(1, 1)) + " " + bridge.hashCode());
        System.out.println(LongMethod.run(3));
    }
}
