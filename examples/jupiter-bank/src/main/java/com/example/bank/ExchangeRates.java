package com.example.bank;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;

/** Exchange rates to the euro; a rate that was asked for once is kept. */
public final class ExchangeRates {
    private static final Map<String, Double> CACHE = new ConcurrentHashMap<>();

    private final Function<String, Double> source;

    public ExchangeRates(Function<String, Double> source) {
        this.source = source;
    }

    public double rate(String currency) {
        return CACHE.computeIfAbsent(currency, source);
    }

    public long toEuro(String currency, long cents) {
        return Math.round(cents / rate(currency));
    }
}
