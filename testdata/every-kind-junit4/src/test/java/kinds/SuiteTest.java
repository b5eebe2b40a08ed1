package kinds;

import org.junit.Test;
import org.junit.runner.RunWith;
import org.junit.runners.Suite;

@RunWith(Suite.class)
@Suite.SuiteClasses({SuiteTest.Member.class, SuiteTest.Inner.class})
public class SuiteTest {
    public static class Member {
        @Test
        public void passes() {}
    }

    @RunWith(Suite.class)
    @Suite.SuiteClasses(Member.class)
    public static class Inner {}
}
