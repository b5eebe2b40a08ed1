package com.example.warehouse;

import static org.testng.Assert.assertEquals;

import org.testng.annotations.Test;

public class LabelsTest {
    @Test
    public void startWithOne() {
        assertEquals(Labels.next(), "MAIN-1");
    }

    @Test(dependsOnMethods = "startWithOne")
    public void carryTheSite() {
        System.setProperty("warehouse.site", "NORTH");
        assertEquals(Labels.next(), "NORTH-2");
    }
}
