package com.example.shop;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** A receipt as the till prints it, or as it goes to the archive. */
public final class Receipt {
    private final Cart cart;

    public Receipt(Cart cart) {
        this.cart = cart;
    }

    public String text() {
        return "Total: " + cart.total() + " " + Settings.currency();
    }

    /** Appends to the archive, because an archive never loses a receipt. */
    public void archive(Path archive) throws IOException {
        List<String> lines = Files.exists(archive) ? Files.readAllLines(archive) : List.of();
        Files.writeString(archive, lines.isEmpty() ? text() : String.join("\n", lines) + "\n" + text());
    }
}
