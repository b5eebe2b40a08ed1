package com.example.shop;

import static org.junit.Assert.assertEquals;
import static org.junit.Assume.assumeTrue;

import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.Rule;
import org.junit.Test;
import org.junit.rules.TemporaryFolder;

public class ReceiptTest {
    @Rule
    public final TemporaryFolder folder = new TemporaryFolder();

    private final Cart cart = new Cart(new PriceList().put("tea", "4.20"));

    @Test
    public void showsEurosByDefault() {
        assertEquals("Total: 0.00 EUR", new Receipt(cart).text());
    }

    @Test
    public void goesToTheArchive() throws Exception {
        Path archive = folder.getRoot().toPath().resolve("archive.txt");
        new Receipt(cart).archive(archive);
        cart.add("tea", 1);
        new Receipt(cart).archive(archive);
        assertEquals(2, Files.readAllLines(archive).size());
    }

    @Test
    public void startsTheArchiveOfTheDay() throws Exception {
        Path archive = Path.of("target", "receipts-of-the-day.txt");
        Files.deleteIfExists(archive);
        new Receipt(cart).archive(archive);
        assertEquals(1, Files.readAllLines(archive).size());
    }

    @Test
    public void usesWindowsDrives() {
        assumeTrue("\\".equals(FileSystems.getDefault().getSeparator()));
        assertEquals("C:\\", Path.of("C:\\receipts").getRoot().toString());
    }
}
