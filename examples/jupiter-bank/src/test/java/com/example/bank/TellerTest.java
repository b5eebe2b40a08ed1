package com.example.bank;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestInstance.Lifecycle;

/** One teller serves all tests: opening a till is slow. */
@TestInstance(Lifecycle.PER_CLASS)
class TellerTest {
    private final List<String> served = new ArrayList<>();
    private Account till;

    @BeforeAll
    void openTill() {
        till = new Account("CH9300762011623852957");
        till.deposit(100_000);
    }

    @AfterAll
    void closeTill() {
        till = null;
    }

    @Test
    void paysOut() {
        served.add("Ada");
        till.withdraw(10);
        assertTrue(till.balance() > 0);
    }

    @Test
    void servesEachCustomerOnce() {
        served.add("Grace");
        assertEquals(1, served.stream().filter("Grace"::equals).count());
    }
}
