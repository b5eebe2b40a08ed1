package org.junit.jupiter.api.extension;

public interface TestInstances {
    Object getInnermostInstance();
}
