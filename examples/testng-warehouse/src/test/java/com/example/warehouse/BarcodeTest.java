package com.example.warehouse;

import static org.testng.Assert.assertEquals;
import static org.testng.Assert.assertFalse;

import org.testng.annotations.DataProvider;
import org.testng.annotations.Test;

public class BarcodeTest {
    @DataProvider
    public Object[][] codes() {
        return new Object[][] {
            {"4006381333931", true}, {"4006381333932", false}, {"5901234123457", true}, {"", false},
        };
    }

    @Test(dataProvider = "codes", groups = "fast")
    public void checksTheLastDigit(String code, boolean valid) {
        assertEquals(Barcode.isValid(code), valid);
    }

    @Test(groups = "fast")
    public void isNumeric() {
        assertFalse(Barcode.isValid("400638133393X"));
    }
}
