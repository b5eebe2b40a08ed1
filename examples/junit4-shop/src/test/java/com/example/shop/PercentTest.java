package com.example.shop;

import static org.junit.Assert.assertEquals;

import java.util.Arrays;
import java.util.Collection;
import org.junit.Test;
import org.junit.runner.RunWith;
import org.junit.runners.Parameterized;
import org.junit.runners.Parameterized.Parameters;

@RunWith(Parameterized.class)
public class PercentTest {
    private final String amount;
    private final int percent;
    private final String expected;

    public PercentTest(String amount, int percent, String expected) {
        this.amount = amount;
        this.percent = percent;
        this.expected = expected;
    }

    @Parameters(name = "{1}% of {0}")
    public static Collection<Object[]> table() {
        return Arrays.asList(new Object[][] {
            {"100.00", 19, "19.00"},
            {"9.99", 7, "0.70"},
            {"0.00", 50, "0.00"},
        });
    }

    @Test
    public void roundsToCents() {
        assertEquals(expected, Money.of(amount).percent(percent).toString());
    }
}
