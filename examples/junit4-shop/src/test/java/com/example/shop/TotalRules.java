package com.example.shop;

import static org.junit.Assert.assertEquals;

import org.junit.ClassRule;
import org.junit.Test;
import org.junit.rules.ExternalResource;

public class TotalRules {
    private static PriceList prices;

    @ClassRule
    public static final ExternalResource PRICES = new ExternalResource() {
        @Override
        protected void before() {
            prices = new PriceList().put("kettle", "39.00");
        }

        @Override
        protected void after() {
            prices = null;
        }
    };

    @Test
    public void totalIncludesEveryPiece() {
        Cart cart = new Cart(prices);
        cart.add("kettle", 3);
        assertEquals(Money.of("117.00"), cart.total());
    }
}
