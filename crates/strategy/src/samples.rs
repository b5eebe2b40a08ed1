//! Small watched runs for the tests of this crate.

use std::collections::BTreeMap;

use surefoot_model::{
    Framework, Launch, Outcome, RunOutcome, RunResult, Test, TestId, Thrown, VmEnd, Watch,
    WatchedRun, WatchedVm,
};

/// One list of test ids (`Class#method`, `Class#method[row]`) for each VM; all passed.
pub(crate) fn watch(vms: &[&[&str]]) -> Watch {
    let launch = Launch {
        executable: "java".into(),
        options: Vec::new(),
        class_path: Vec::new(),
        class_path_property: String::new(),
        properties: BTreeMap::new(),
        configuration: BTreeMap::new(),
        environment: BTreeMap::new(),
        directory: "/".into(),
        pytest: None,
    };
    let id = launch.id();
    let mut watch = Watch { launches: BTreeMap::from([(id.clone(), launch)]), ..Watch::default() };
    for (pid, tests) in vms.iter().enumerate() {
        let runs = tests.iter().map(|name| {
            let (class, method) = name.split_once('#').unwrap_or((name, ""));
            let test = Test {
                id: TestId::from(*name),
                framework: Framework::JUnit4,
                class: class.to_owned(),
                method: method.split('[').next().map(str::to_owned),
                address: (*name).to_owned(),
                display: (*name).to_owned(),
                legacy: None,
                written_for: None,
            };
            watch.tests.insert(test.id.clone(), test);
            WatchedRun {
                test: TestId::from(*name),
                result: RunResult::Passed,
                duration_us: 1000,
                overlapped: false,
                change: None,
                change_together: None,
                change_before: None,
            }
        });
        let runs = runs.collect();
        watch.vms.push(WatchedVm {
            pid: pid as u32,
            launch: id.clone(),
            runs,
            class_changes: Vec::new(),
            end: VmEnd::Orderly,
        });
    }
    watch
}

pub(crate) fn failed() -> RunResult {
    RunResult::Failed {
        thrown: Thrown { class: "java.lang.AssertionError".into(), ..Thrown::default() },
    }
}

pub(crate) fn outcome(experiment: u64, runs: &[(&str, RunResult)]) -> Outcome {
    let run = |(test, result): &(&str, RunResult)| RunOutcome {
        test: TestId::from(*test),
        result: result.clone(),
        duration_ms: 1,
        vm: 0,
        change: None,
        choices: None,
        output: None,
    };
    Outcome {
        experiment,
        runs: runs.iter().map(run).collect(),
        class_changes: Vec::new(),
        in_copy: false,
    }
}
