package com.example.bank;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.DynamicContainer.dynamicContainer;
import static org.junit.jupiter.api.DynamicTest.dynamicTest;

import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicNode;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class IbanTest {
    @ParameterizedTest
    @ValueSource(strings = {"DE89 3704 0044 0532 0130 00", "GB82 WEST 1234 5698 7654 32"})
    void acceptsTheExamplesOfTheStandard(String iban) {
        assertTrue(Iban.isValid(iban));
    }

    @ParameterizedTest(name = "{0} is {1}")
    @CsvSource({"'', false", "DE88370400440532013000, false", "FR1420041010050500013M02606, true"})
    void checksTheDigits(String iban, boolean valid) {
        assertEquals(valid, Iban.isValid(iban));
    }

    @TestFactory
    Stream<DynamicNode> noticesEverySwap() {
        String iban = "NL91ABNA0417164300";
        return Stream.of(
                dynamicContainer(
                        "digits", Stream.of(9, 12).map(at -> dynamicTest("at " + at, () -> assertSwapNoticed(iban, at)))),
                dynamicTest("letters", () -> assertSwapNoticed(iban, 5)));
    }

    private static void assertSwapNoticed(String iban, int at) {
        String swapped = iban.substring(0, at) + iban.charAt(at + 1) + iban.charAt(at) + iban.substring(at + 2);
        assertFalse(Iban.isValid(swapped), swapped);
    }
}
