package com.example.bank;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.Test;

class PortfolioTest {
    @Test
    void overviewListsEveryCurrency() {
        Portfolio portfolio = new Portfolio();
        portfolio.add("USD", 300);
        portfolio.add("EUR", 100);
        portfolio.add("CHF", 200);
        assertEquals("CHF 200; EUR 100; USD 300", portfolio.overview());
    }
}
