package surefoot.drive;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * In which order a node of the JUnit Platform makes its tests: by their numbers and, below an invocation of a class template,
 * by where its methods come in the class.
 */
final class Making implements Comparator<String> {
    private static final int UNKNOWN = Integer.MAX_VALUE;

    /** By unique id, without invocations. */
    private final Map<String, Integer> places = new HashMap<>();

    /** @param discovered the nodes below whole class templates, in the order in which they will run */
    Making(Set<String> discovered) {
        for (String id : discovered) {
            places.put(id, places.size());
        }
    }

    /** The node that makes a test while it runs: the part of the address before the first number. */
    static String maker(String address) {
        int number = address.indexOf(":#");
        int end = number < 0 ? -1 : address.lastIndexOf("/[", number);
        return end < 0 ? address : address.substring(0, end);
    }

    /** A class that runs several times. The JUnit Platform knows its methods before it runs, but not by their addresses. */
    static boolean isClassTemplate(String maker) {
        return maker.substring(maker.lastIndexOf("/[") + 1).contains("class-template:");
    }

    /** Negative only if the first is made before the second for sure. */
    @Override
    public int compare(String first, String second) {
        List<Integer> left = way(first);
        List<Integer> right = way(second);
        for (int i = 0; i < Math.min(left.size(), right.size()); i++) {
            int order = Integer.compare(left.get(i), right.get(i));
            if (order != 0) {
                return order;
            }
        }
        return 0;
    }

    /** From the maker down to the test. */
    private List<Integer> way(String address) {
        String without = maker(address);
        List<Integer> way = new ArrayList<>();
        for (int start = without.length(); start < address.length(); ) {
            int next = address.indexOf("]/[", start + 1);
            int end = next < 0 ? address.length() : next + 1;
            String segment = address.substring(start, end);
            int number = segment.indexOf(":#");
            if (number >= 0) {
                way.add(leadingNumber(segment.substring(number + 2)));
            } else {
                without += segment;
                way.add(places.getOrDefault(without, UNKNOWN));
            }
            start = end;
        }
        return way;
    }

    private static int leadingNumber(String text) {
        int end = 0;
        while (end < text.length() && end < 9 && Character.isDigit(text.charAt(end))) {
            end++;
        }
        return end == 0 ? UNKNOWN : Integer.parseInt(text.substring(0, end));
    }
}
