package com.example.shop;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertFalse;
import static org.junit.Assert.assertThrows;

import java.util.NoSuchElementException;
import org.junit.Test;

public class PriceListTest {
    @Test
    public void isReadOnlyOnce() {
        assertFalse(PriceList.isLoaded());
        PriceList.current();
        PriceList.current();
        assertEquals(1, PriceList.loads());
    }

    @Test
    public void doesNotKnowEveryArticle() {
        assertThrows(NoSuchElementException.class, () -> new PriceList().priceOf("sofa"));
    }
}
