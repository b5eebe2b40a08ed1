//! Where each test framework is watched: the few methods that all its events pass.
//!
//! The numbers of the hooks are known to the probe classes in java/src/surefoot/watch.

/// A class of a framework, and its methods to watch.
#[derive(Debug)]
pub(crate) struct HookedClass {
    /// As JVMTI writes it: `Lorg/junit/Foo;`.
    pub(crate) signature: &'static str,
    /// The Java class that makes sense of the events.
    pub(crate) probe: &'static str,
    /// Only woven where points within tests are wanted.
    pub(crate) is_for_points: bool,
    pub(crate) methods: &'static [HookedMethod],
}

#[derive(Debug)]
pub(crate) struct HookedMethod {
    pub(crate) name: &'static str,
    /// None: whatever its parameters, they changed from version to version.
    pub(crate) descriptor: Option<&'static str>,
    pub(crate) hook: i16,
    /// Which local variables the probe gets to see.
    pub(crate) first: Option<u8>,
    pub(crate) second: Option<u8>,
    pub(crate) place: Place,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Place {
    Start,
    /// Wherever it returns; not where it throws.
    Returns,
    /// Where it ends by an exception.
    Throws,
}

const fn method(
    name: &'static str,
    descriptor: &'static str,
    hook: i16,
    first: u8,
    second: Option<u8>,
) -> HookedMethod {
    let (descriptor, first, place) = (Some(descriptor), Some(first), Place::Start);
    HookedMethod { name, descriptor, hook, first, second, place }
}

/// With `this`.
const fn start(name: &'static str, descriptor: &'static str, hook: i16) -> HookedMethod {
    method(name, descriptor, hook, 0, None)
}

const fn end(
    name: &'static str,
    descriptor: &'static str,
    hook: i16,
    place: Place,
) -> HookedMethod {
    HookedMethod { name, descriptor: Some(descriptor), hook, first: None, second: None, place }
}

const BLOCK: &str =
    "(Lorg/junit/runners/model/FrameworkMethod;)Lorg/junit/runners/model/Statement;";
const BEFORES: &str = "(Lorg/junit/runners/model/FrameworkMethod;Ljava/lang/Object;Lorg/junit/runners/model/Statement;)Lorg/junit/runners/model/Statement;";
const PREPARE: &str = "(Lorg/junit/jupiter/engine/execution/JupiterEngineExecutionContext;)Lorg/junit/jupiter/engine/execution/JupiterEngineExecutionContext;";
const EXECUTE: &str = "(Lorg/junit/jupiter/engine/execution/JupiterEngineExecutionContext;Lorg/junit/platform/engine/support/hierarchical/Node$DynamicTestExecutor;)Lorg/junit/jupiter/engine/execution/JupiterEngineExecutionContext;";
const INVOKE_TEST: &str = "(Lorg/junit/jupiter/engine/execution/JupiterEngineExecutionContext;Lorg/junit/platform/engine/support/hierarchical/Node$DynamicTestExecutor;)V";
const DESCRIPTION: &str = "(Lorg/junit/runner/Description;)V";
const FAILURE: &str = "(Lorg/junit/runner/notification/Failure;)V";
const RUN: &str = "(Lorg/junit/runner/notification/RunNotifier;)V";
const TEST: &str = "(Ljunit/framework/Test;)V";
const IN_RESULT: &str = "(Ljunit/framework/TestResult;)V";

/// What runs before the first method of a class and after the last one, asked for at each.
const CLASS_METHODS: &[HookedMethod] = &[
    method("invokeBeforeClassMethods", OF_CLASS, 4, 1, None),
    method("invokeAfterClassMethods", OF_CLASS, 5, 1, None),
    end("invokeAfterClassMethods", OF_CLASS, 6, Place::Returns),
];

const OF_CLASS: &str = "(Lorg/testng/ITestClass;Lorg/testng/IMethodInstance;)V";

/// One run of a test method, with what runs before and after each.
const INVOKE_METHOD: &[HookedMethod] = &[
    HookedMethod {
        name: "invokeMethod",
        descriptor: None,
        hook: 2,
        first: Some(1),
        second: None,
        place: Place::Start,
    },
    HookedMethod {
        name: "invokeMethod",
        descriptor: None,
        hook: 3,
        first: None,
        second: None,
        place: Place::Returns,
    },
];

pub(crate) const CLASSES: &[HookedClass] = &[
    HookedClass {
        signature: "Lorg/junit/platform/launcher/core/ExecutionListenerAdapter;",
        probe: "surefoot.watch.PlatformProbe",
        is_for_points: false,
        methods: &[
            method(
                "executionStarted",
                "(Lorg/junit/platform/engine/TestDescriptor;)V",
                0,
                1,
                Some(0),
            ),
            method(
                "executionSkipped",
                "(Lorg/junit/platform/engine/TestDescriptor;Ljava/lang/String;)V",
                1,
                1,
                Some(2),
            ),
            method(
                "executionFinished",
                "(Lorg/junit/platform/engine/TestDescriptor;Lorg/junit/platform/engine/TestExecutionResult;)V",
                2,
                1,
                Some(2),
            ),
        ],
    },
    HookedClass {
        signature: "Lorg/junit/jupiter/engine/descriptor/MethodExtensionContext;",
        probe: "surefoot.watch.JupiterProbe",
        is_for_points: false,
        methods: &[method(
            "setTestInstances",
            "(Lorg/junit/jupiter/api/extension/TestInstances;)V",
            0,
            0,
            Some(1),
        )],
    },
    HookedClass {
        signature: "Lorg/junit/runner/notification/RunNotifier;",
        probe: "surefoot.watch.JUnit4Probe",
        is_for_points: false,
        methods: &[
            method("fireTestStarted", DESCRIPTION, 0, 1, None),
            method("fireTestFinished", DESCRIPTION, 1, 1, None),
            method("fireTestFailure", FAILURE, 2, 1, None),
            method("fireTestAssumptionFailed", FAILURE, 3, 1, None),
            method("fireTestIgnored", DESCRIPTION, 4, 1, None),
        ],
    },
    HookedClass {
        signature: "Lorg/junit/runners/ParentRunner;",
        probe: "surefoot.watch.JUnit4Probe",
        is_for_points: false,
        methods: &[
            method("run", RUN, 5, 0, None),
            HookedMethod {
                name: "run",
                descriptor: Some(RUN),
                hook: 9,
                first: None,
                second: None,
                place: Place::Returns,
            },
        ],
    },
    HookedClass {
        signature: "Lorg/junit/internal/runners/SuiteMethod;",
        probe: "surefoot.watch.JUnit4Probe",
        is_for_points: false,
        methods: &[method("<init>", "(Ljava/lang/Class;)V", 6, 1, None)],
    },
    HookedClass {
        signature: "Lorg/junit/internal/runners/JUnit38ClassRunner;",
        probe: "surefoot.watch.JUnit4Probe",
        is_for_points: false,
        methods: &[
            method("<init>", "(Ljunit/framework/Test;)V", 7, 1, None),
            method("run", "(Lorg/junit/runner/notification/RunNotifier;)V", 8, 0, None),
        ],
    },
    HookedClass {
        signature: "Ljunit/framework/TestResult;",
        probe: "surefoot.watch.JUnit3Probe",
        is_for_points: false,
        methods: &[
            method("startTest", TEST, 0, 1, None),
            method("endTest", TEST, 1, 1, None),
            method("addError", "(Ljunit/framework/Test;Ljava/lang/Throwable;)V", 2, 1, Some(2)),
            method(
                "addFailure",
                "(Ljunit/framework/Test;Ljunit/framework/AssertionFailedError;)V",
                2,
                1,
                Some(2),
            ),
        ],
    },
    HookedClass {
        signature: "Ljunit/extensions/TestSetup;",
        probe: "surefoot.watch.JUnit3Probe",
        is_for_points: false,
        methods: &[start("run", IN_RESULT, 3), end("run", IN_RESULT, 4, Place::Returns)],
    },
    HookedClass {
        signature: "Lorg/testng/internal/TestListenerHelper;",
        probe: "surefoot.watch.TestNgProbe",
        is_for_points: false,
        methods: &[
            method("runTestListeners", "(Lorg/testng/ITestResult;Ljava/util/List;)V", 0, 0, None),
            HookedMethod {
                name: "runPostConfigurationListeners",
                descriptor: None,
                hook: 1,
                first: Some(0),
                second: None,
                place: Place::Start,
            },
        ],
    },
    HookedClass {
        signature: "Lorg/testng/internal/invokers/TestInvoker;",
        probe: "surefoot.watch.TestNgProbe",
        is_for_points: false,
        methods: INVOKE_METHOD,
    },
    // Before TestNG 7.5.
    HookedClass {
        signature: "Lorg/testng/internal/TestInvoker;",
        probe: "surefoot.watch.TestNgProbe",
        is_for_points: false,
        methods: INVOKE_METHOD,
    },
    HookedClass {
        signature: "Lorg/testng/internal/invokers/TestMethodWorker;",
        probe: "surefoot.watch.TestNgProbe",
        is_for_points: false,
        methods: CLASS_METHODS,
    },
    // Before TestNG 7.5.
    HookedClass {
        signature: "Lorg/testng/internal/TestMethodWorker;",
        probe: "surefoot.watch.TestNgProbe",
        is_for_points: false,
        methods: CLASS_METHODS,
    },
    HookedClass {
        signature: "Lorg/junit/runners/BlockJUnit4ClassRunner;",
        probe: "surefoot.watch.JUnit4Probe",
        is_for_points: true,
        methods: &[
            start("methodBlock", BLOCK, 10),
            // Runners that have a methodBlock of their own end up here.
            start("createTest", "()Ljava/lang/Object;", 10),
            start("withBefores", BEFORES, 11),
        ],
    },
    HookedClass {
        signature: "Lorg/junit/internal/runners/statements/InvokeMethod;",
        probe: "surefoot.watch.JUnit4Probe",
        is_for_points: true,
        methods: &[
            start("evaluate", "()V", 12),
            end("evaluate", "()V", 13, Place::Returns),
            end("evaluate", "()V", 13, Place::Throws),
        ],
    },
    // Has all inside it run in another thread.
    HookedClass {
        signature: "Lorg/junit/internal/runners/statements/FailOnTimeout;",
        probe: "surefoot.watch.JUnit4Probe",
        is_for_points: true,
        methods: &[
            start("evaluate", "()V", 14),
            end("evaluate", "()V", 15, Place::Returns),
            end("evaluate", "()V", 15, Place::Throws),
        ],
    },
    HookedClass {
        signature: "Lorg/junit/jupiter/engine/descriptor/TestMethodTestDescriptor;",
        probe: "surefoot.watch.JupiterProbe",
        is_for_points: true,
        methods: &[
            start("prepare", PREPARE, 10),
            start("execute", EXECUTE, 11),
            start("invokeTestMethod", INVOKE_TEST, 12),
            end("invokeTestMethod", INVOKE_TEST, 13, Place::Returns),
        ],
    },
    HookedClass {
        signature: "Ljunit/framework/TestCase;",
        probe: "surefoot.watch.JUnit3Probe",
        is_for_points: true,
        methods: &[
            start("runBare", "()V", 11),
            start("runTest", "()V", 12),
            end("runTest", "()V", 13, Place::Returns),
        ],
    },
];

/// Where there is a class of these packages, a hooked one may follow.
const HERALDS: &[&str] = &["Lorg/junit/", "Ljunit/", "Lorg/testng/", "Lorg/apache/maven/surefire/"];

pub(crate) fn find(signature: &str, points: bool) -> Option<&'static HookedClass> {
    wanted(points).find(|class| class.signature == signature)
}

/// `name` is `org/junit/Foo`.
pub(crate) fn find_by_name(name: &[u8], points: bool) -> Option<&'static HookedClass> {
    wanted(points).find(|class| &class.signature.as_bytes()[1..class.signature.len() - 1] == name)
}

fn wanted(points: bool) -> impl Iterator<Item = &'static HookedClass> {
    CLASSES.iter().filter(move |class| points || !class.is_for_points)
}

pub(crate) fn is_herald(signature: &str) -> bool {
    HERALDS.iter().any(|package| signature.starts_with(package))
}
