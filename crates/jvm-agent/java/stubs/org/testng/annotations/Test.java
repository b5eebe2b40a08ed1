package org.testng.annotations;

public @interface Test {
    String[] groups() default {};

    String[] dependsOnGroups() default {};

    String[] dependsOnMethods() default {};

    boolean ignoreMissingDependencies() default false;
}
