package com.example.warehouse;

/** EAN-13: every second digit counts three times, the last digit makes the sum a multiple of ten. */
public final class Barcode {
    private Barcode() {}

    public static boolean isValid(String code) {
        if (!code.matches("[0-9]{13}")) {
            return false;
        }
        int sum = 0;
        for (int i = 0; i < 13; i++) {
            sum += Character.digit(code.charAt(i), 10) * (i % 2 == 0 ? 1 : 3);
        }
        return sum % 10 == 0;
    }
}
