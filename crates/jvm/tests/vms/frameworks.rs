//! The fixtures, framework by framework, and what must come of them.

use surefoot_model::ClassSetup::{self, PerRun, Shared};

use crate::support;

pub(crate) struct Fixture {
    /// For `java`, from the class path on.
    arguments: fn() -> Vec<String>,
    /// The VM's exit status.
    pub(crate) status: i32,
    /// In the order of the watched run: the test, how it ends, and whether the framework starts it at all.
    pub(crate) runs: &'static [(&'static str, &'static str, bool)],
    pub(crate) class_failures: &'static [(&'static str, &'static str)],
    /// What the fixtures do in the watched run.
    pub(crate) trace: &'static str,
    /// What they do when all tests run from the last to the first, each twice.
    pub(crate) reversed_shared: &'static str,
    pub(crate) reversed_per_run: &'static str,
    pub(crate) orders: &'static [Order],
}

impl Fixture {
    pub(crate) fn arguments(&self) -> Vec<String> {
        (self.arguments)()
    }
}

/// Tests to run in this order, and what they do then.
pub(crate) struct Order {
    pub(crate) tests: &'static [&'static str],
    pub(crate) class_setup: ClassSetup,
    pub(crate) trace: &'static str,
}

fn words(words: &[&str]) -> Vec<String> {
    words.iter().map(|word| (*word).to_owned()).collect()
}

pub(crate) const JUNIT3: Fixture = Fixture {
    arguments: || {
        words(&[
            "-cp",
            &support::class_path(&["junit-3.8.2.jar"]),
            "junit.textui.TestRunner",
            "three.Tests",
        ])
    },
    status: 1,
    runs: &[
        ("three.Tests#testPasses", "passed", true),
        (
            "three.Tests#testFails",
            "failed: junit.framework.AssertionFailedError: as it should",
            true,
        ),
        ("three.Tests#testBreaks", "failed: java.lang.IllegalStateException: as it should", true),
    ],
    class_failures: &[],
    trace: "setUp, passes, tearDown, setUp, fails, tearDown, setUp, breaks, tearDown",
    reversed_shared: "setUp, breaks, tearDown, setUp, breaks, tearDown, \
                      setUp, fails, tearDown, setUp, fails, tearDown, \
                      setUp, passes, tearDown, setUp, passes, tearDown",
    reversed_per_run: "setUp, breaks, tearDown, setUp, breaks, tearDown, \
                       setUp, fails, tearDown, setUp, fails, tearDown, \
                       setUp, passes, tearDown, setUp, passes, tearDown",
    orders: &[Order {
        tests: &["three.Tests#testFails", "three.Tests#testPasses", "three.Tests#testFails"],
        class_setup: Shared,
        trace: "setUp, fails, tearDown, setUp, passes, tearDown, setUp, fails, tearDown",
    }],
};

pub(crate) const JUNIT4_JARS: &[&str] = &["junit-4.13.2.jar", "hamcrest-core-1.3.jar"];

pub(crate) const JUNIT4: Fixture = Fixture {
    arguments: || {
        let tests = [
            "four.PlainTest",
            "four.RowsTest",
            "four.AllTests",
            "four.OldTest",
            "four.IgnoredTest",
            "four.BeforeClassFailsTest",
        ];
        [
            words(&["-cp", &support::class_path(JUNIT4_JARS), "org.junit.runner.JUnitCore"]),
            words(&tests),
        ]
        .concat()
    },
    status: 1,
    runs: &[
        ("four.PlainTest#assumes", "aborted: org.junit.AssumptionViolatedException: never", true),
        ("four.PlainTest#breaks", "failed: java.lang.IllegalStateException: as it should", true),
        ("four.PlainTest#fails", "failed: java.lang.AssertionError: as it should", true),
        ("four.PlainTest#ignored", "skipped: not today", false),
        ("four.PlainTest#passes", "passed", true),
        ("four.RowsTest#first[x]", "passed", true),
        ("four.RowsTest#second[x]", "passed", true),
        ("four.RowsTest#first[y]", "passed", true),
        ("four.RowsTest#second[y]", "passed", true),
        ("four.AllTests>four.AllTests$Left#test", "passed", true),
        ("four.AllTests>four.AllTests$Right#test", "passed", true),
        ("four.OldTest#testOld", "passed", true),
        ("four.IgnoredTest", "skipped: all of it", false),
    ],
    class_failures: &[("four.BeforeClassFailsTest", "java.lang.IllegalStateException: no set-up")],
    trace: "beforeAll, new, before, assumes, after, new, before, breaks, after, new, before, fails, after, \
            new, before, passes, after, afterAll, \
            rows beforeAll, new x, first x, new x, second x, new y, first y, new y, second y, rows afterAll, \
            suite beforeAll, left beforeAll, left, left afterAll, right, suite afterAll, \
            old setUp, old",
    reversed_shared: "old setUp, old, old setUp, old, \
                      suite beforeAll, right, right, left beforeAll, left, left, left afterAll, suite afterAll, \
                      rows beforeAll, new y, second y, new y, second y, new y, first y, new y, first y, \
                      new x, second x, new x, second x, new x, first x, new x, first x, rows afterAll, \
                      beforeAll, new, before, passes, after, new, before, passes, after, \
                      new, before, fails, after, new, before, fails, after, \
                      new, before, breaks, after, new, before, breaks, after, \
                      new, before, assumes, after, new, before, assumes, after, afterAll",
    reversed_per_run: "old setUp, old, old setUp, old, \
                       suite beforeAll, right, suite afterAll, suite beforeAll, right, suite afterAll, \
                       suite beforeAll, left beforeAll, left, left afterAll, suite afterAll, \
                       suite beforeAll, left beforeAll, left, left afterAll, suite afterAll, \
                       rows beforeAll, new y, second y, rows afterAll, rows beforeAll, new y, second y, rows afterAll, \
                       rows beforeAll, new y, first y, rows afterAll, rows beforeAll, new y, first y, rows afterAll, \
                       rows beforeAll, new x, second x, rows afterAll, rows beforeAll, new x, second x, rows afterAll, \
                       rows beforeAll, new x, first x, rows afterAll, rows beforeAll, new x, first x, rows afterAll, \
                       beforeAll, new, before, passes, after, afterAll, beforeAll, new, before, passes, after, afterAll, \
                       beforeAll, new, before, fails, after, afterAll, beforeAll, new, before, fails, after, afterAll, \
                       beforeAll, new, before, breaks, after, afterAll, beforeAll, new, before, breaks, after, afterAll, \
                       beforeAll, new, before, assumes, after, afterAll, beforeAll, new, before, assumes, after, afterAll",
    orders: &[
        Order {
            tests: &["four.PlainTest#passes", "four.PlainTest#passes"],
            class_setup: Shared,
            trace: "beforeAll, new, before, passes, after, new, before, passes, after, afterAll",
        },
        Order {
            tests: &["four.PlainTest#passes", "four.PlainTest#passes"],
            class_setup: PerRun,
            trace: "beforeAll, new, before, passes, after, afterAll, beforeAll, new, before, passes, after, afterAll",
        },
        Order {
            tests: &["four.PlainTest#passes", "four.PlainTest#fails", "four.PlainTest#passes"],
            class_setup: Shared,
            trace: "beforeAll, new, before, passes, after, new, before, fails, after, new, before, passes, after, afterAll",
        },
        // Other than the order that the class fixes.
        Order {
            tests: &["four.PlainTest#passes", "four.PlainTest#fails"],
            class_setup: Shared,
            trace: "beforeAll, new, before, passes, after, new, before, fails, after, afterAll",
        },
        Order {
            tests: &["four.PlainTest#passes", "four.OldTest#testOld", "four.PlainTest#passes"],
            class_setup: Shared,
            trace: "beforeAll, new, before, passes, after, afterAll, old setUp, old, \
                    beforeAll, new, before, passes, after, afterAll",
        },
        Order {
            tests: &["four.RowsTest#first[y]", "four.RowsTest#first[x]"],
            class_setup: Shared,
            trace: "rows beforeAll, new y, first y, new x, first x, rows afterAll",
        },
        Order {
            tests: &["four.RowsTest#first[x]", "four.RowsTest#first[y]", "four.RowsTest#first[x]"],
            class_setup: Shared,
            trace: "rows beforeAll, new x, first x, new y, first y, new x, first x, rows afterAll",
        },
        Order {
            tests: &[
                "four.AllTests>four.AllTests$Left#test",
                "four.AllTests>four.AllTests$Right#test",
                "four.AllTests>four.AllTests$Left#test",
            ],
            class_setup: Shared,
            trace: "suite beforeAll, left beforeAll, left, left afterAll, right, \
                    left beforeAll, left, left afterAll, suite afterAll",
        },
    ],
};

const JUPITER_TESTS: &[&str] = &[
    "--select-class=five.PlainTest",
    "--select-class=five.RowsTest",
    "--select-class=five.OuterTest",
    "--select-class=five.MakersTest",
    "--select-class=five.SharedTest",
    "--select-class=five.BeforeAllFailsTest",
];

pub(crate) const CONSOLE: &[&str] =
    &["execute", "--disable-banner", "--disable-ansi-colors", "--details=tree"];

/// The console as a jar, which makes a class loader of its own for the tests.
pub(crate) const PLATFORM_1: Fixture = Fixture {
    arguments: || {
        let start = ["-jar", &support::jar("junit-platform-console-standalone-1.13.4.jar")];
        [
            words(&start),
            words(CONSOLE),
            words(&["--class-path", &support::classes()]),
            words(JUPITER_TESTS),
        ]
        .concat()
    },
    ..PLATFORM_6
};

fn on_class_path(console: &str) -> Vec<String> {
    let path = support::class_path(&[console]);
    let start = ["-cp", &path, "org.junit.platform.console.ConsoleLauncher"];
    [words(&start), words(CONSOLE), words(JUPITER_TESTS)].concat()
}

/// The newest.
pub(crate) const PLATFORM_6_1: Fixture = Fixture {
    arguments: || on_class_path("junit-platform-console-standalone-6.1.3.jar"),
    ..PLATFORM_6
};

/// The console on the class path.
pub(crate) const PLATFORM_6: Fixture = Fixture {
    arguments: || on_class_path("junit-platform-console-standalone-6.0.3.jar"),
    status: 1,
    runs: &[
        (
            "five.PlainTest#assumes",
            "aborted: org.opentest4j.TestAbortedException: Assumption failed: never",
            true,
        ),
        ("five.PlainTest#disabled", "skipped: not today", false),
        ("five.PlainTest#fails", "failed: org.opentest4j.AssertionFailedError: as it should", true),
        ("five.PlainTest#passes", "passed", true),
        ("five.RowsTest#row(String)[1]", "passed", true),
        ("five.RowsTest#row(String)[2]", "passed", true),
        ("five.RowsTest#row(String)[3]", "passed", true),
        ("five.OuterTest#outer", "passed", true),
        ("five.OuterTest$Inner#inner", "passed", true),
        ("five.MakersTest#makes[1]", "passed", true),
        ("five.MakersTest#makes[2][1]", "passed", true),
        ("five.MakersTest#repeats[1]", "passed", true),
        ("five.MakersTest#repeats[2]", "passed", true),
        ("five.SharedTest#one", "passed", true),
        ("five.SharedTest#two", "passed", true),
    ],
    class_failures: &[("five.BeforeAllFailsTest", "java.lang.IllegalStateException: no set-up")],
    // Jupiter makes an instance before it asks whether the test is disabled.
    trace: "beforeAll, new, before, assumes, after, new, new, before, fails, after, new, before, passes, after, afterAll, \
            rows beforeAll, rows new, row x, rows new, row y, rows new, row z, rows afterAll, \
            outer beforeAll, outer new, outer before, outer, \
            outer new, inner new, outer before, inner before, inner, outer afterAll, \
            makes, made one, made two, repeats, repeats, \
            shared new, shared beforeAll, shared one 1, shared two 2, shared afterAll",
    reversed_shared: "shared new, shared beforeAll, shared two 1, shared two 2, shared one 3, shared one 4, shared afterAll, \
                      repeats, repeats, repeats, repeats, \
                      makes, made two, makes, made two, makes, made one, makes, made one, \
                      outer beforeAll, outer new, inner new, outer before, inner before, inner, \
                      outer new, inner new, outer before, inner before, inner, \
                      outer new, outer before, outer, outer new, outer before, outer, outer afterAll, \
                      rows beforeAll, rows new, row z, rows new, row z, rows new, row y, rows new, row y, \
                      rows new, row x, rows new, row x, rows afterAll, \
                      beforeAll, new, before, passes, after, new, before, passes, after, \
                      new, before, fails, after, new, before, fails, after, \
                      new, new, \
                      new, before, assumes, after, new, before, assumes, after, afterAll",
    reversed_per_run: "shared new, shared beforeAll, shared two 1, shared afterAll, \
                       shared new, shared beforeAll, shared two 1, shared afterAll, \
                       shared new, shared beforeAll, shared one 1, shared afterAll, \
                       shared new, shared beforeAll, shared one 1, shared afterAll, \
                       repeats, repeats, repeats, repeats, \
                       makes, made two, makes, made two, makes, made one, makes, made one, \
                       outer beforeAll, outer new, inner new, outer before, inner before, inner, outer afterAll, \
                       outer beforeAll, outer new, inner new, outer before, inner before, inner, outer afterAll, \
                       outer beforeAll, outer new, outer before, outer, outer afterAll, \
                       outer beforeAll, outer new, outer before, outer, outer afterAll, \
                       rows beforeAll, rows new, row z, rows afterAll, rows beforeAll, rows new, row z, rows afterAll, \
                       rows beforeAll, rows new, row y, rows afterAll, rows beforeAll, rows new, row y, rows afterAll, \
                       rows beforeAll, rows new, row x, rows afterAll, rows beforeAll, rows new, row x, rows afterAll, \
                       beforeAll, new, before, passes, after, afterAll, beforeAll, new, before, passes, after, afterAll, \
                       beforeAll, new, before, fails, after, afterAll, beforeAll, new, before, fails, after, afterAll, \
                       beforeAll, new, afterAll, beforeAll, new, afterAll, \
                       beforeAll, new, before, assumes, after, afterAll, beforeAll, new, before, assumes, after, afterAll",
    orders: &[
        Order {
            tests: &["five.PlainTest#passes", "five.PlainTest#passes"],
            class_setup: Shared,
            trace: "beforeAll, new, before, passes, after, new, before, passes, after, afterAll",
        },
        Order {
            tests: &["five.PlainTest#passes", "five.PlainTest#passes"],
            class_setup: PerRun,
            trace: "beforeAll, new, before, passes, after, afterAll, beforeAll, new, before, passes, after, afterAll",
        },
        Order {
            tests: &["five.PlainTest#passes", "five.SharedTest#two", "five.PlainTest#passes"],
            class_setup: Shared,
            trace: "beforeAll, new, before, passes, after, afterAll, \
                    shared new, shared beforeAll, shared two 1, shared afterAll, \
                    beforeAll, new, before, passes, after, afterAll",
        },
        Order {
            tests: &[
                "five.RowsTest#row(String)[1]",
                "five.RowsTest#row(String)[1]",
                "five.RowsTest#row(String)[2]",
                "five.RowsTest#row(String)[2]",
            ],
            class_setup: Shared,
            trace: "rows beforeAll, rows new, row x, rows new, row x, rows new, row y, rows new, row y, rows afterAll",
        },
        Order {
            tests: &["five.RowsTest#row(String)[2]", "five.RowsTest#row(String)[1]"],
            class_setup: Shared,
            trace: "rows beforeAll, rows new, row y, rows new, row x, rows afterAll",
        },
        Order {
            tests: &[
                "five.OuterTest#outer",
                "five.OuterTest$Inner#inner",
                "five.OuterTest#outer",
                "five.OuterTest$Inner#inner",
            ],
            class_setup: Shared,
            trace: "outer beforeAll, \
                    outer new, outer before, outer, outer new, inner new, outer before, inner before, inner, \
                    outer new, outer before, outer, outer new, inner new, outer before, inner before, inner, \
                    outer afterAll",
        },
        Order {
            tests: &[
                "five.MakersTest#makes[1]",
                "five.MakersTest#makes[2][1]",
                "five.MakersTest#makes[1]",
            ],
            class_setup: Shared,
            trace: "makes, made one, made two, makes, made one",
        },
        Order {
            tests: &[
                "five.MakersTest#repeats[2]",
                "five.MakersTest#repeats[1]",
                "five.MakersTest#makes[1]",
            ],
            class_setup: Shared,
            trace: "repeats, repeats, makes, made one",
        },
        Order {
            tests: &["five.SharedTest#one", "five.SharedTest#two", "five.SharedTest#one"],
            class_setup: Shared,
            trace: "shared new, shared beforeAll, shared one 1, shared two 2, shared one 3, shared afterAll",
        },
    ],
};

pub(crate) const TESTNG: Fixture = Fixture {
    arguments: || {
        let path = support::class_path(&["testng-7.5.1.jar", "jcommander-1.78.jar"]);
        words(&[
            "-cp",
            &path,
            "org.testng.TestNG",
            "-usedefaultlisteners",
            "false",
            "-testclass",
            "ng.PlainTest,ng.RowsTest",
        ])
    },
    // Something failed (1) and something was skipped (2).
    status: 3,
    runs: &[
        ("ng.PlainTest#fails", "failed: java.lang.AssertionError: as it should", true),
        ("ng.PlainTest#passes", "passed", true),
        ("ng.PlainTest#skips", "skipped: not today", true),
        ("ng.RowsTest#row(String)[0]", "passed", true),
        ("ng.RowsTest#row(String)[1]", "passed", true),
    ],
    class_failures: &[],
    trace: "new, beforeAll, before, fails, after, before, passes, after, before, skips, after, afterAll, \
            rows beforeAll, row x, row y, rows afterAll",
    // Rows that do not go up need another `<test>`, and that has its own class-level set-up.
    reversed_shared: "new, rows beforeAll, row y, row y, rows afterAll, rows beforeAll, row x, row x, rows afterAll, \
                      beforeAll, before, skips, after, before, skips, after, before, passes, after, before, passes, after, \
                      before, fails, after, before, fails, after, afterAll",
    // TestNG makes the instances of all its `<test>`s first.
    reversed_per_run: "new, new, new, new, new, new, \
                       rows beforeAll, row y, rows afterAll, rows beforeAll, row y, rows afterAll, \
                       rows beforeAll, row x, rows afterAll, rows beforeAll, row x, rows afterAll, \
                       beforeAll, before, skips, after, afterAll, beforeAll, before, skips, after, afterAll, \
                       beforeAll, before, passes, after, afterAll, beforeAll, before, passes, after, afterAll, \
                       beforeAll, before, fails, after, afterAll, beforeAll, before, fails, after, afterAll",
    orders: &[
        Order {
            tests: &["ng.PlainTest#passes", "ng.PlainTest#passes"],
            class_setup: Shared,
            trace: "new, beforeAll, before, passes, after, before, passes, after, afterAll",
        },
        Order {
            tests: &["ng.PlainTest#passes", "ng.PlainTest#passes"],
            class_setup: PerRun,
            trace: "new, new, beforeAll, before, passes, after, afterAll, beforeAll, before, passes, after, afterAll",
        },
        Order {
            tests: &["ng.PlainTest#passes", "ng.PlainTest#fails"],
            class_setup: Shared,
            trace: "new, beforeAll, before, passes, after, before, fails, after, afterAll",
        },
        Order {
            tests: &["ng.PlainTest#passes", "ng.RowsTest#row(String)[0]", "ng.PlainTest#passes"],
            class_setup: Shared,
            trace: "new, new, beforeAll, before, passes, after, afterAll, rows beforeAll, row x, rows afterAll, \
                    beforeAll, before, passes, after, afterAll",
        },
        Order {
            tests: &[
                "ng.RowsTest#row(String)[0]",
                "ng.RowsTest#row(String)[1]",
                "ng.RowsTest#row(String)[0]",
                "ng.RowsTest#row(String)[1]",
            ],
            class_setup: Shared,
            trace: "rows beforeAll, row x, row y, row x, row y, rows afterAll",
        },
        Order {
            tests: &[
                "ng.RowsTest#row(String)[0]",
                "ng.RowsTest#row(String)[0]",
                "ng.RowsTest#row(String)[1]",
                "ng.RowsTest#row(String)[1]",
            ],
            class_setup: Shared,
            trace: "rows beforeAll, row x, row x, rows afterAll, rows beforeAll, row y, row y, rows afterAll",
        },
        Order {
            tests: &["ng.RowsTest#row(String)[1]", "ng.RowsTest#row(String)[0]"],
            class_setup: Shared,
            trace: "rows beforeAll, row y, rows afterAll, rows beforeAll, row x, rows afterAll",
        },
    ],
};
