package com.example.shop;

import java.util.Map;
import java.util.NoSuchElementException;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicInteger;

/** The prices of all articles, read once and shared by all carts. */
public final class PriceList {
    private static final AtomicInteger LOADS = new AtomicInteger();
    private static PriceList current;

    private final Map<String, Money> prices = new TreeMap<>();

    public static synchronized PriceList current() {
        if (current == null) {
            LOADS.incrementAndGet();
            current = new PriceList();
            current.put("mug", "7.50").put("tea", "4.20").put("kettle", "39.00").put("spoon", "1.10");
        }
        return current;
    }

    static boolean isLoaded() {
        return current != null;
    }

    static int loads() {
        return LOADS.get();
    }

    public PriceList put(String article, String price) {
        prices.put(article, Money.of(price));
        return this;
    }

    public Money priceOf(String article) {
        Money price = prices.get(article);
        if (price == null) {
            throw new NoSuchElementException("no such article: " + article);
        }
        return price;
    }
}
