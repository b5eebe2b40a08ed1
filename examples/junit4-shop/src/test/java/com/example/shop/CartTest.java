package com.example.shop;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertThrows;
import static org.junit.Assert.assertTrue;

import org.junit.Before;
import org.junit.Ignore;
import org.junit.Test;

public class CartTest {
    private Cart cart;

    @Before
    public void openCart() {
        cart = new Cart(new PriceList().put("mug", "7.50").put("tea", "4.20"));
    }

    @Test
    public void isEmptyAtFirst() {
        assertTrue(cart.isEmpty());
    }

    @Test
    public void addsUpAllLines() {
        cart.add("mug", 2);
        cart.add("tea", 1);
        assertEquals(Money.of("19.20"), cart.total());
    }

    @Test
    public void summaryNamesEveryLine() {
        cart.add("tea", 2);
        cart.add("mug", 1);
        assertEquals("2 x tea, 1 x mug", cart.summary());
    }

    @Test
    public void refusesNegativeQuantity() {
        assertThrows(IllegalArgumentException.class, () -> cart.add("mug", -1));
    }

    @Ignore("waits for the gift card service")
    @Test
    public void takesGiftCards() {
        throw new UnsupportedOperationException();
    }
}
