package com.example.shop;

import java.util.HashMap;
import java.util.Map;

/** How many articles each department sells. */
public final class Departments {
    private final Map<String, Integer> articles = new HashMap<>();

    public void add(String department) {
        articles.merge(department, 1, Integer::sum);
    }

    /** One department on each line. */
    public String overview() {
        StringBuilder overview = new StringBuilder();
        for (Map.Entry<String, Integer> entry : articles.entrySet()) {
            overview.append(entry.getKey()).append(": ").append(entry.getValue()).append('\n');
        }
        return overview.toString();
    }
}
