package com.example.bank;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/** Every transfer since the bank opened its doors this morning. */
public final class AuditLog {
    private static final List<String> ENTRIES = Collections.synchronizedList(new ArrayList<>());

    private AuditLog() {}

    static void record(String entry) {
        ENTRIES.add(entry);
    }

    public static List<String> entries() {
        return List.copyOf(ENTRIES);
    }
}
