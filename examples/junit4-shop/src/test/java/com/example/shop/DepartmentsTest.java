package com.example.shop;

import static org.junit.Assert.assertEquals;

import org.junit.Test;

public class DepartmentsTest {
    private final Departments departments = new Departments();

    /** Relies on the order of a HashMap. */
    @Test
    public void overviewListsEveryDepartment() {
        departments.add("books");
        departments.add("garden");
        departments.add("books");
        departments.add("toys");
        assertEquals("toys: 1\nbooks: 2\ngarden: 1\n", departments.overview());
    }

    /** Does not. */
    @Test
    public void overviewOfOneDepartment() {
        departments.add("toys");
        assertEquals("toys: 1\n", departments.overview());
    }
}
