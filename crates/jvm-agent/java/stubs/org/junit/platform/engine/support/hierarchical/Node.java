package org.junit.platform.engine.support.hierarchical;

public interface Node<C> {}
