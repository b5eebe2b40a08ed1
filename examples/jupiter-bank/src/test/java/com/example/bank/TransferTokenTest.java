package com.example.bank;

import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

class TransferTokenTest {
    @Test
    void isNeverIssuedTwice() {
        assertNotEquals(TransferToken.create().value(), TransferToken.create().value());
    }

    @Test
    void belongsToOneOfTenShards() {
        int shard = TransferToken.create().shard();
        assertTrue(shard >= 0 && shard < 10);
    }
}
