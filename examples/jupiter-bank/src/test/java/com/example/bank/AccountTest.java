package com.example.bank;

import static org.junit.jupiter.api.Assertions.assertAll;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Disabled;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Test;

class AccountTest {
    private final Account account = new Account("DE89370400440532013000");

    @Test
    @DisplayName("a new account is empty")
    void isEmptyAtFirst() {
        assertEquals(0, account.balance());
    }

    @RepeatedTest(3)
    void depositsAddUp() {
        account.deposit(100);
        account.deposit(1);
        assertEquals(101, account.balance());
    }

    @Disabled("the rules for overdrafts are not decided")
    @Test
    void canBeOverdrawn() {
        account.withdraw(1);
    }

    @Nested
    class WithMoney {
        @BeforeEach
        void deposit() {
            account.deposit(10_000);
        }

        @Test
        void canBeWithdrawnFrom() {
            account.withdraw(4_000);
            assertEquals(6_000, account.balance());
        }

        @Test
        void isNeverOverdrawn() {
            assertThrows(IllegalStateException.class, () -> account.withdraw(10_001));
        }

        @Nested
        class AndAnotherAccount {
            private final Account other = new Account("GB82WEST12345698765432");

            @Test
            void transfersMoney() {
                account.transfer(other, 2_500);
                assertAll(
                        () -> assertEquals(7_500, account.balance()),
                        () -> assertEquals(2_500, other.balance()));
            }
        }
    }
}
