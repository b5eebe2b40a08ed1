package com.example.bank;

import java.util.UUID;

/** Confirms one transfer. Its first character says which of the ten shards keeps it. */
public final class TransferToken {
    private final String value;

    private TransferToken(String value) {
        this.value = value;
    }

    public static TransferToken create() {
        return new TransferToken(UUID.randomUUID().toString());
    }

    public String value() {
        return value;
    }

    public int shard() {
        return Integer.parseInt(value.substring(0, 1));
    }
}
