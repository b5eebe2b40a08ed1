package java.util;

import java.nio.file.Path;

/** A directory by DirectoryStream, Files.list and Files.walk: "The elements returned by the iterator are in no specific order." */
public final class SurefootDirectory implements Iterator<Path> {
    private final Iterator<Path> plain;
    private final int model;
    private Object[] elements;
    private int at;

    private SurefootDirectory(Iterator<Path> plain, int model) {
        this.plain = plain;
        this.model = model;
    }

    public static Iterator<Path> iterator(Iterator<Path> plain, int model) {
        return SurefootChoices.test == 0 ? plain : new SurefootDirectory(plain, model);
    }

    /** Reads the directory when the first element is asked for: what goes wrong is thrown where the JDK would throw it. */
    private Object[] elements() {
        if (elements != null) {
            return elements;
        }
        Object[] read = new Object[16];
        int count = 0;
        while (plain.hasNext()) {
            if (count == read.length) {
                read = resized(read, 2 * count);
            }
            read[count++] = plain.next();
        }
        elements = resized(read, count);
        String[] names = new String[count];
        for (int i = 0; i < count; i++) {
            Path name = ((Path) elements[i]).getFileName();
            names[i] = name == null ? "" : name.toString();
        }
        SurefootArrays.arrange(elements, names, this, model, 0);
        return elements;
    }

    private static Object[] resized(Object[] array, int length) {
        Object[] copy = new Object[length];
        System.arraycopy(array, 0, copy, 0, Math.min(length, array.length));
        return copy;
    }

    @Override
    public boolean hasNext() {
        return at < elements().length;
    }

    @Override
    public Path next() {
        Object[] all = elements();
        if (at >= all.length) {
            throw new NoSuchElementException();
        }
        return (Path) all[at++];
    }
}
