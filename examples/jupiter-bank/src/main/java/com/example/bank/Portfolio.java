package com.example.bank;

import java.util.HashMap;
import java.util.Map;
import java.util.StringJoiner;

/** What a customer holds in each currency. */
public final class Portfolio {
    private final Map<String, Long> holdings = new HashMap<>();

    public void add(String currency, long cents) {
        holdings.merge(currency, cents, Long::sum);
    }

    public String overview() {
        StringJoiner lines = new StringJoiner("; ");
        holdings.forEach((currency, cents) -> lines.add(currency + " " + cents));
        return lines.toString();
    }
}
