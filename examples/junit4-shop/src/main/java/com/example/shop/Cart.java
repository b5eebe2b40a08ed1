package com.example.shop;

import java.util.HashMap;
import java.util.Map;
import java.util.stream.Collectors;

/** What a customer is about to buy. */
public class Cart {
    private final PriceList prices;
    private final Map<String, Integer> quantities = new HashMap<>();

    public Cart(PriceList prices) {
        this.prices = prices;
    }

    public void add(String article, int quantity) {
        if (quantity <= 0) {
            throw new IllegalArgumentException("quantity must be positive: " + quantity);
        }
        quantities.merge(article, quantity, Integer::sum);
    }

    public boolean isEmpty() {
        return quantities.isEmpty();
    }

    public Money total() {
        Money total = Money.ZERO;
        for (Map.Entry<String, Integer> line : quantities.entrySet()) {
            total = total.plus(prices.priceOf(line.getKey()).times(line.getValue()));
        }
        return total;
    }

    /** One line for the order overview, such as {@code 2 x tea, 1 x mug}. */
    public String summary() {
        return quantities.entrySet().stream()
                .map(line -> line.getValue() + " x " + line.getKey())
                .collect(Collectors.joining(", "));
    }
}
