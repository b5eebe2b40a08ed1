package com.example.shop;

import static org.junit.Assert.assertEquals;

import org.junit.Test;

public class ShippingRules {
    @Test
    public void smallOrdersPay() {
        assertEquals(Money.of("4.90"), Shipping.costOf(Money.of("49.99")));
    }

    @Test
    public void largeOrdersAreFree() {
        assertEquals(Money.ZERO, Shipping.costOf(Money.of("50.00")));
    }
}
