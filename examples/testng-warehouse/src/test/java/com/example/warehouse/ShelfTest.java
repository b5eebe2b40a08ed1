package com.example.warehouse;

import static org.testng.Assert.assertEquals;
import static org.testng.Assert.assertThrows;

import org.testng.annotations.Factory;
import org.testng.annotations.Test;

/** The same rules for each size of shelf that we own. */
public class ShelfTest {
    private final int capacity;
    private final Shelf shelf;

    private ShelfTest(int capacity) {
        this.capacity = capacity;
        this.shelf = new Shelf(capacity);
    }

    @Factory
    public static Object[] sizes() {
        return new Object[] {new ShelfTest(1), new ShelfTest(12)};
    }

    @Test
    public void fillsUp() {
        for (int i = 0; i < capacity; i++) {
            shelf.put("box " + i);
        }
        assertEquals(shelf.free(), 0);
    }

    @Test(dependsOnMethods = "fillsUp")
    public void refusesOneBoxTooMany() {
        assertThrows(IllegalStateException.class, () -> shelf.put("one too many"));
    }

    @Test(dependsOnMethods = "refusesOneBoxTooMany")
    public void givesTheNewestBoxFirst() {
        assertEquals(shelf.take(), "box " + (capacity - 1));
    }
}
