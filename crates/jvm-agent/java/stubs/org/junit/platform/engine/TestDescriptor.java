package org.junit.platform.engine;

import java.util.Set;
import java.util.Optional;

public interface TestDescriptor {
    UniqueId getUniqueId();
    String getDisplayName();
    String getLegacyReportingName();
    Optional<TestSource> getSource();
    Optional<TestDescriptor> getParent();
    Set<? extends TestDescriptor> getChildren();
    void addChild(TestDescriptor descriptor);
    void removeChild(TestDescriptor descriptor);
    void setParent(TestDescriptor parent);
    boolean isTest();
}
