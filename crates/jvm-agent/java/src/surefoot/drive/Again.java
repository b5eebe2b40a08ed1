package surefoot.drive;

import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import org.junit.platform.engine.TestDescriptor;
import org.junit.platform.engine.support.hierarchical.Node;

/**
 * A descriptor that occurs again: all that the descriptor is, but equal to nothing else.
 *
 * <p>From JUnit 6.1 on a descriptor's children are copied into a set whenever somebody asks for them, and one that is there twice
 * would be there once.
 */
final class Again implements InvocationHandler {
    private final TestDescriptor descriptor;

    private Again(TestDescriptor descriptor) {
        this.descriptor = descriptor;
    }

    static TestDescriptor of(TestDescriptor descriptor) {
        Class<?>[] all = {TestDescriptor.class, Node.class};
        Class<?>[] one = {TestDescriptor.class};
        Class<?>[] types = descriptor instanceof Node ? all : one;
        return (TestDescriptor)
                Proxy.newProxyInstance(TestDescriptor.class.getClassLoader(), types, new Again(descriptor));
    }

    @Override
    public Object invoke(Object proxy, Method method, Object[] arguments) throws Throwable {
        if (method.getDeclaringClass() == Object.class && method.getName().equals("equals")) {
            return proxy == arguments[0];
        }
        if (method.getDeclaringClass() == Object.class && method.getName().equals("hashCode")) {
            return System.identityHashCode(this);
        }
        try {
            return method.invoke(descriptor, arguments);
        } catch (InvocationTargetException e) {
            throw e.getCause();
        }
    }
}
