package com.example.shop;

/** Settings of one installation, taken from system properties. */
public final class Settings {
    private Settings() {}

    public static String currency() {
        return System.getProperty("shop.currency", "EUR");
    }
}
