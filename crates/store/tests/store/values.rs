//! Values that the tests write to a store.

use surefoot_model::{
    Confidence, Event, Evidence, Experiment, Finding, FindingKind, Fingerprint, LaunchId, Run,
    RunOutcome, RunResult, Settings,
};
use surefoot_store::{RunHeader, WatchHeader};
use tempfile::TempDir;

pub(crate) fn project() -> TempDir {
    tempfile::tempdir().expect("there is a temporary directory")
}

pub(crate) fn watch_header() -> WatchHeader {
    WatchHeader {
        command: vec!["mvn".into(), "test".into()],
        directory: "/home/ann/cart".into(),
        started: 1_700_000_000,
        surefoot: "0.1.0".into(),
    }
}

pub(crate) fn run_header() -> RunHeader {
    RunHeader {
        watch: 1,
        command: vec!["surefoot".into(), "run".into()],
        started: 1_700_000_000,
        surefoot: "0.1.0".into(),
    }
}

pub(crate) fn trouble() -> Event {
    Event::Trouble { what: "cannot read \"\u{1f9e6}\"\n".into() }
}

pub(crate) fn experiment(id: u64, tests: &[&str]) -> Experiment {
    let runs = tests.iter().map(|&test| Run { test: test.into(), limit_ms: 1000 }).collect();
    let launch = LaunchId(Fingerprint::of(["launch"]));
    Experiment { id, purpose: "replay".into(), launch, runs, settings: Settings::default() }
}

pub(crate) fn passed(test: &str) -> RunOutcome {
    RunOutcome {
        test: test.into(),
        result: RunResult::Passed,
        duration_ms: 12,
        vm: 0,
        change: None,
        choices: None,
        output: None,
    }
}

pub(crate) fn finding() -> Finding {
    Finding {
        kind: FindingKind::Flaky,
        tests: vec!["a.B#c".into()],
        verdict: "passes and fails in identical fresh VMs".into(),
        confidence: Confidence { seen: 3, of: 6 },
        evidence: vec![Evidence { label: "failure".into(), text: "Boom: \u{1f9e6}\n".into() }],
        reproduce: "surefoot run 'a.B#c' --repeat 20".into(),
        fix: "wait for the event, not for a time".into(),
        cause: "Boom".into(),
        choosing: None,
    }
}
