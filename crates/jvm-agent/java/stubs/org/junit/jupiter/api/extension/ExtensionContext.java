package org.junit.jupiter.api.extension;

public interface ExtensionContext {
    java.util.Optional<?> getTestInstanceLifecycle();
}
