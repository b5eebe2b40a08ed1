package com.example.bank;

/** An account that is never overdrawn. Amounts are in cents. */
public final class Account {
    private final String iban;
    private long balance;

    public Account(String iban) {
        this.iban = iban;
    }

    public String iban() {
        return iban;
    }

    public long balance() {
        return balance;
    }

    public void deposit(long cents) {
        if (cents <= 0) {
            throw new IllegalArgumentException("not a deposit: " + cents);
        }
        balance += cents;
    }

    public void withdraw(long cents) {
        if (cents > balance) {
            throw new IllegalStateException("insufficient funds");
        }
        balance -= cents;
    }

    public void transfer(Account to, long cents) {
        withdraw(cents);
        to.deposit(cents);
        AuditLog.record(iban + " -> " + to.iban + ": " + cents);
    }
}
