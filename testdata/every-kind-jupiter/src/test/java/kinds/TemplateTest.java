package kinds;

import java.util.stream.Stream;
import org.junit.jupiter.api.TestTemplate;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.TestTemplateInvocationContext;
import org.junit.jupiter.api.extension.TestTemplateInvocationContextProvider;

class TemplateTest {
    @TestTemplate
    @ExtendWith(Twice.class)
    void runsTwice() {}

    static class Twice implements TestTemplateInvocationContextProvider {
        @Override
        public boolean supportsTestTemplate(ExtensionContext context) {
            return true;
        }

        @Override
        public Stream<TestTemplateInvocationContext> provideTestTemplateInvocationContexts(ExtensionContext context) {
            return Stream.of(named("left"), named("right"));
        }

        private static TestTemplateInvocationContext named(String name) {
            return new TestTemplateInvocationContext() {
                @Override
                public String getDisplayName(int index) {
                    return name;
                }
            };
        }
    }
}
