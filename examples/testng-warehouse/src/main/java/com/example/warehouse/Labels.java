package com.example.warehouse;

import java.util.concurrent.atomic.AtomicInteger;

/** Numbers the labels of all parcels of the day. */
public final class Labels {
    private static final AtomicInteger LAST = new AtomicInteger();

    private Labels() {}

    public static String next() {
        return System.getProperty("warehouse.site", "MAIN") + "-" + LAST.incrementAndGet();
    }
}
