package com.example.bank;

import java.math.BigInteger;

/** ISO 13616: the first four characters go to the end, letters count from ten, the rest by 97 is one. */
public final class Iban {
    private static final BigInteger NINETY_SEVEN = BigInteger.valueOf(97);

    private Iban() {}

    public static boolean isValid(String text) {
        String iban = text.replace(" ", "");
        if (!iban.matches("[A-Z]{2}[0-9]{2}[A-Z0-9]{11,30}")) {
            return false;
        }
        StringBuilder digits = new StringBuilder();
        (iban.substring(4) + iban.substring(0, 4)).chars().forEach(c -> digits.append(Character.digit(c, 36)));
        return new BigInteger(digits.toString()).mod(NINETY_SEVEN).equals(BigInteger.ONE);
    }
}
