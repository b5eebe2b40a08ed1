package com.example.shop;

import junit.framework.TestCase;

/** From the first version of the shop. */
public class MoneyTest extends TestCase {
    private Money price;

    @Override
    protected void setUp() {
        price = Money.of("1.1");
    }

    public void testHasTwoDecimals() {
        assertEquals("1.10", price.toString());
    }

    public void testTimes() {
        assertEquals(Money.of("3.30"), price.times(3));
    }
}
