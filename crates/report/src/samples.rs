//! Findings, watches and outcomes for the tests of every report.

use std::time::Duration;

use surefoot_model::{
    Confidence, Death, Evidence, Finding, FindingKind, Framework, Launch, RunOutcome, RunResult,
    Test, TestId, Thrown, VmEnd, Watch, WatchedRun, WatchedVm,
};

use crate::{StatusCounts, Terminal, Totals};

pub(crate) const NARROW: Terminal = Terminal { width: 80, colour: false };
pub(crate) const WIDE: Terminal = Terminal { width: 120, colour: false };

/// In the environment and on the command line of every VM of the samples.
pub(crate) const SECRET: &str = "hunter2";

pub(crate) const LONG: &str = "com.acme.shop.checkout.internal.pricing.discounts.LoyaltyProgrammeDiscountCalculatorTest#appliesTheHighestDiscountThatTheCustomerIsEntitledTo(java.lang.String, int)[12]";
pub(crate) const ODD: &str = "com.acme.日本語Test#テスト[\u{1b}[2J\u{202e}\u{1f9e6}\nline 2]";

pub(crate) fn finding(tests: &[&str]) -> Finding {
    Finding {
        kind: FindingKind::Flaky,
        tests: tests.iter().map(|&test| test.into()).collect(),
        verdict: "passes and fails in identical fresh VMs".into(),
        confidence: Confidence { seen: 3, of: 6 },
        evidence: vec![Evidence {
            label: "failure".into(),
            text: "java.lang.AssertionError: expected <1> but was <2>\n\tat CartTest.java:12"
                .into(),
        }],
        reproduce: format!("surefoot run '{}' --repeat 20", tests[0]),
        fix: "look for a clock, a random number, a race or a service outside of the test".into(),
        cause: "java.lang.AssertionError".into(),
        choosing: None,
    }
}

pub(crate) fn totals() -> Totals {
    let results = StatusCounts { passed: 1203, failed: 2, skipped: 14, ..StatusCounts::default() };
    Totals {
        tests: 1219,
        results,
        vms: 3,
        replayed: 1203,
        not_replayable: 2,
        elapsed: Duration::from_millis(125_400),
    }
}

pub(crate) fn failed(message: &str) -> RunResult {
    RunResult::Failed {
        thrown: Thrown {
            class: "java.lang.AssertionError".into(),
            message: Some(message.into()),
            stack: "java.lang.AssertionError\n\tat a.B.c(B.java:1)".into(),
            assertion: true,
        },
    }
}

pub(crate) fn outcome(test: &str, result: RunResult, duration_ms: u64) -> RunOutcome {
    let output = Some(format!("Picked up JAVA_TOOL_OPTIONS: -Dtoken={SECRET}"));
    RunOutcome {
        test: test.into(),
        result,
        duration_ms,
        vm: 0,
        change: None,
        choices: None,
        output,
    }
}

/// Two VMs with tests of all kinds.
pub(crate) fn watch() -> Watch {
    let launch = Launch {
        executable: "/usr/bin/java".into(),
        options: vec![format!("-Dtoken={SECRET}")],
        class_path: vec!["/home/ann/cart/target/classes".into()],
        class_path_property: String::new(),
        properties: [("token".into(), SECRET.into())].into(),
        configuration: [("token".into(), SECRET.into())].into(),
        environment: [("TOKEN".into(), SECRET.into())].into(),
        directory: "/home/ann/cart".into(),
        pytest: None,
    };
    let mut watch = Watch::default();
    let mut run = |id: &str, framework, result, duration_us| {
        let test = Test {
            id: id.into(),
            framework,
            class: "com.acme.CartTest".into(),
            method: Some("total".into()),
            address: format!("[{id}]"),
            display: format!("{id}, displayed"),
            legacy: None,
            written_for: None,
        };
        watch.tests.insert(test.id.clone(), test);
        WatchedRun {
            test: TestId(id.to_owned()),
            result,
            duration_us,
            overlapped: false,
            change: None,
            change_together: None,
            change_before: None,
        }
    };
    let first = vec![
        run("com.acme.CartTest#total(int)[2]", Framework::JunitPlatform, RunResult::Passed, 12_345),
        run(LONG, Framework::JunitPlatform, failed("expected <1> but was <2>"), 61_000_000),
        run(ODD, Framework::TestNg, RunResult::Skipped { reason: None }, 0),
    ];
    let died = RunResult::Died { death: Death::Exited { status: 1 } };
    let second = vec![
        run("com.acme.CartTest#total(int)[2]", Framework::JunitPlatform, RunResult::Passed, 345),
        run("com.acme.OldTest#exits", Framework::JUnit3, died, 2_500_000),
    ];
    let id = launch.id();
    watch.vms = vec![
        WatchedVm {
            pid: 4711,
            launch: id.clone(),
            runs: first,
            class_changes: Vec::new(),
            end: VmEnd::Orderly,
        },
        WatchedVm {
            pid: 4712,
            launch: id.clone(),
            runs: second,
            class_changes: Vec::new(),
            end: VmEnd::Abrupt,
        },
    ];
    watch.launches.insert(id, launch);
    watch
}

pub(crate) fn suppressed() -> [surefoot_model::Suppressed; 1] {
    let tests = std::collections::BTreeSet::from(["a.B#c".into(), "a.B#d".into()]);
    let root = "com.acme.Shop.priceCache".to_owned();
    [surefoot_model::Suppressed {
        rule: "cache".into(),
        reason: "meant to be filled".into(),
        roots: std::collections::BTreeMap::from([(root, tests)]),
    }]
}
