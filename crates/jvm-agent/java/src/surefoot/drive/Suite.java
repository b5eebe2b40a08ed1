package surefoot.drive;

/** Tests of one framework. */
interface Suite {
    void run(Experiment experiment) throws Exception;
}
