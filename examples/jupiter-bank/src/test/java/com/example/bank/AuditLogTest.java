package com.example.bank;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

class AuditLogTest {
    @Test
    void recordsEachTransferOnce() {
        Account from = new Account("NL91ABNA0417164300");
        from.deposit(5);
        from.transfer(new Account("FR1420041010050500013M02606"), 5);

        List<String> mine =
                AuditLog.entries().stream().filter(e -> e.startsWith(from.iban())).collect(Collectors.toList());
        assertEquals(List.of("NL91ABNA0417164300 -> FR1420041010050500013M02606: 5"), mine);
    }
}
