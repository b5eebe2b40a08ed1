package com.example.warehouse;

import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;

/** How many pieces of each article the warehouse has. */
public final class Stock {
    private final Map<String, Integer> pieces = new HashMap<>();
    private final Set<String> reserved = new HashSet<>();

    public void receive(String article, int count) {
        pieces.merge(article, count, Integer::sum);
    }

    public int count(String article) {
        return pieces.getOrDefault(article, 0);
    }

    public void reserve(String article) {
        if (count(article) == 0) {
            throw new IllegalStateException("out of stock: " + article);
        }
        reserved.add(article);
    }

    /** The next article to pick. */
    public String next() {
        return reserved.iterator().next();
    }
}
