package kinds;

import static org.junit.jupiter.api.Assertions.fail;
import static org.junit.jupiter.api.DynamicContainer.dynamicContainer;
import static org.junit.jupiter.api.DynamicTest.dynamicTest;
import static org.junit.jupiter.api.Assumptions.abort;

import java.net.URI;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Disabled;
import org.junit.jupiter.api.DynamicNode;
import org.junit.jupiter.api.TestFactory;

class DynamicTest {
    @TestFactory
    Stream<DynamicNode> flat() {
        return Stream.of(
                dynamicTest("passes", () -> {}),
                dynamicTest("fails", () -> fail("on purpose")),
                dynamicTest("is aborted", () -> abort("on purpose")),
                dynamicTest("same", () -> {}),
                dynamicTest("same", () -> {}));
    }

    @TestFactory
    DynamicNode nested() {
        return dynamicContainer("outer", List.of(
                dynamicTest("first", () -> {}),
                dynamicContainer("inner", List.of(
                        dynamicTest("first", () -> {}),
                        dynamicTest("second", () -> fail("on purpose"))))));
    }

    @TestFactory
    Stream<DynamicNode> withSourceOfTheirOwn() {
        URI uri = URI.create("file:///some/script.txt?line=3");
        return Stream.of(
                dynamicTest("a test of a file", uri, () -> {}),
                dynamicContainer("a container of a file", uri, Stream.of(
                        dynamicTest("in it", () -> {}),
                        dynamicTest("in it, with a file", uri, () -> {}))));
    }

    @TestFactory
    Stream<DynamicNode> failsHalfWay() {
        return Stream.of(1, 2).map(i -> {
            if (i == 2) {
                throw new IllegalStateException("on purpose");
            }
            return dynamicTest("number " + i, () -> {});
        });
    }

    @TestFactory
    Stream<DynamicNode> makesNothing() {
        return Stream.empty();
    }

    @Disabled("on purpose")
    @TestFactory
    Stream<DynamicNode> isDisabled() {
        return Stream.of(dynamicTest("never made", () -> {}));
    }
}
