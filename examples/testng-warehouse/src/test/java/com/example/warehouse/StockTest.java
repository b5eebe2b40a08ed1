package com.example.warehouse;

import static org.testng.Assert.assertEquals;

import org.testng.SkipException;
import org.testng.annotations.BeforeClass;
import org.testng.annotations.BeforeMethod;
import org.testng.annotations.Test;

public class StockTest {
    private String supplier;
    private Stock stock;

    @BeforeClass
    public void chooseSupplier() {
        supplier = "ACME";
    }

    @BeforeMethod
    public void openWarehouse() {
        stock = new Stock();
        stock.receive(supplier + "-bolt", 100);
        stock.receive(supplier + "-nut", 50);
        stock.receive(supplier + "-washer", 10);
    }

    @Test(groups = "fast")
    public void deliveriesAddUp() {
        stock.receive("ACME-bolt", 11);
        assertEquals(stock.count("ACME-bolt"), 111);
    }

    @Test(expectedExceptions = IllegalStateException.class)
    public void cannotReserveWhatIsNotThere() {
        stock.reserve("ACME-anvil");
    }

    @Test
    public void picksTheFirstReservationFirst() {
        stock.reserve("ACME-washer");
        stock.reserve("ACME-nut");
        assertEquals(stock.next(), "ACME-washer");
    }

    @Test(groups = "slow")
    public void survivesAYearOfDeliveries() {
        for (int day = 0; day < 365; day++) {
            stock.receive("ACME-bolt", 1);
        }
        assertEquals(stock.count("ACME-bolt"), 465);
    }

    @Test
    public void talksToTheScanner() {
        throw new SkipException("no scanner at this desk");
    }

    @Test(enabled = false)
    public void countsFromTheDrone() {
        throw new UnsupportedOperationException();
    }
}
