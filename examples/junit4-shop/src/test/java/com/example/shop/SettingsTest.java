package com.example.shop;

import static org.junit.Assert.assertEquals;

import org.junit.Test;

public class SettingsTest {
    @Test
    public void currencyCanBeConfigured() {
        System.setProperty("shop.currency", "CHF");
        assertEquals("CHF", Settings.currency());
    }
}
