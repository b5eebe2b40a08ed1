package surefoot.drive;

/** Tests of one framework. */
interface Suite {
    /** Why some of the tests were left out, or null. */
    String run(Experiment experiment) throws Exception;
}
