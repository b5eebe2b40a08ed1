package com.example.bank;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;
import org.junit.jupiter.api.TestTemplate;
import org.junit.jupiter.api.extension.BeforeEachCallback;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.extension.Extension;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.TestTemplateInvocationContext;
import org.junit.jupiter.api.extension.TestTemplateInvocationContextProvider;

/** Amounts go to other banks, so the customer's language must not show in them. */
@ExtendWith(LocaleTest.EachLocale.class)
class LocaleTest {
    @TestTemplate
    void auditLogLooksTheSameEverywhere() {
        Account from = new Account(Locale.getDefault() + "-1");
        from.deposit(1_234_567);
        from.transfer(new Account("X"), 1_234_567);
        List<String> entries = AuditLog.entries();
        assertEquals(from.iban() + " -> X: 1234567", entries.get(entries.size() - 1));
    }

    static class EachLocale implements TestTemplateInvocationContextProvider {
        @Override
        public boolean supportsTestTemplate(ExtensionContext context) {
            return true;
        }

        @Override
        public Stream<TestTemplateInvocationContext> provideTestTemplateInvocationContexts(ExtensionContext context) {
            return Stream.of(Locale.GERMANY, Locale.US).map(InLocale::new);
        }
    }

    private static final class InLocale implements TestTemplateInvocationContext {
        private final Locale locale;

        InLocale(Locale locale) {
            this.locale = locale;
        }

        @Override
        public String getDisplayName(int index) {
            return "in " + locale;
        }

        @Override
        public List<Extension> getAdditionalExtensions() {
            return List.of((BeforeEachCallback) context -> Locale.setDefault(locale));
        }
    }
}
