package kinds;

import org.testng.annotations.Test;

public class DependenciesTest {
    @Test(groups = "base")
    public void fails() {
        throw new AssertionError("on purpose");
    }

    @Test(dependsOnMethods = "fails")
    public void isSkippedByMethod() {}

    @Test(dependsOnGroups = "base")
    public void isSkippedByGroup() {}

    @Test(dependsOnMethods = "fails", alwaysRun = true)
    public void runsAnyhow() {}
}
