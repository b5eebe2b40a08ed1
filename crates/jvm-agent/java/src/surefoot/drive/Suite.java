package surefoot.drive;

import java.util.List;
import java.util.Map;

/** Tests of one framework, run in the order of their addresses; an address that comes twice is run twice. */
interface Suite {
    /**
     * @param setupPerRun each run gets its own class-level set-up; otherwise consecutive runs of a class share one
     * @param configuration what the build tool passed to the framework
     */
    void run(List<String> addresses, boolean setupPerRun, Map<String, String> configuration) throws Exception;
}
