package com.example.shop;

/** Shipping is free from 50.00 on. */
public final class Shipping {
    private static final Money FREE_FROM = Money.of("50.00");
    private static final Money FLAT_RATE = Money.of("4.90");

    private Shipping() {}

    public static Money costOf(Money total) {
        return total.compareTo(FREE_FROM) >= 0 ? Money.ZERO : FLAT_RATE;
    }
}
