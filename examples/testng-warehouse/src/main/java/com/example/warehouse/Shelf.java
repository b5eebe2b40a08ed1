package com.example.warehouse;

import java.util.ArrayDeque;
import java.util.Deque;

/** Boxes go in and come out on the same side. */
public final class Shelf {
    private final int capacity;
    private final Deque<String> boxes = new ArrayDeque<>();

    public Shelf(int capacity) {
        this.capacity = capacity;
    }

    public void put(String box) {
        if (boxes.size() == capacity) {
            throw new IllegalStateException("shelf is full");
        }
        boxes.push(box);
    }

    public String take() {
        return boxes.pop();
    }

    public int free() {
        return capacity - boxes.size();
    }
}
