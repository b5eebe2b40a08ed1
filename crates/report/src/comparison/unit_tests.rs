use insta::assert_snapshot;
use serde_json::Value;
use surefoot_model::Death;

use super::*;
use crate::samples::{LONG, NARROW, ODD, SECRET, WIDE, failed, outcome};

struct Sample {
    test: TestId,
    watched: Option<RunResult>,
    runs: Vec<RunOutcome>,
    standing: Standing,
}

fn sample(watched: Option<RunResult>, runs: Vec<RunOutcome>, standing: Standing) -> Sample {
    Sample { test: runs[0].test.clone(), watched, runs, standing }
}

fn samples() -> Vec<Sample> {
    let passed = || Some(RunResult::Passed);
    let died = RunResult::Died { death: Death::Killed { signal: 9 } };
    let mut repeated: Vec<_> =
        (0..17).map(|_| outcome("a.CartTest#total(int)[2]", RunResult::Passed, 5)).collect();
    repeated.extend(
        (0..3).map(|n| {
            outcome("a.CartTest#total(int)[2]", failed(&format!("\nexpected {n}\nmore")), 7)
        }),
    );
    vec![
        sample(passed(), vec![outcome("a.B#same", RunResult::Passed, 1)], Standing::AsWatched),
        sample(passed(), repeated, Standing::Differs),
        sample(passed(), vec![outcome(LONG, died, 61_000)], Standing::NotReplayable),
        sample(passed(), vec![outcome(ODD, failed("\u{1b}[2J日本"), 950)], Standing::NotReplayable),
        sample(
            Some(failed("port in use")),
            vec![outcome("a.B#healed", RunResult::Passed, 3)],
            Standing::Differs,
        ),
        sample(
            None,
            vec![outcome("a.B#unseen", RunResult::TimedOut { limit_ms: 2000 }, 2000)],
            Standing::Differs,
        ),
    ]
}

fn compared(samples: &[Sample]) -> Vec<Comparison<'_>> {
    let compared = samples.iter().map(|sample| Comparison {
        test: &sample.test,
        watched: sample.watched.as_ref(),
        runs: sample.runs.iter().collect(),
        standing: sample.standing,
    });
    compared.collect()
}

#[test]
fn differences_at_80_columns() {
    assert_snapshot!(comparison(&compared(&samples()), NARROW));
}

#[test]
fn differences_at_120_columns() {
    assert_snapshot!(comparison(&compared(&samples()), WIDE));
}

#[test]
fn no_difference() {
    assert_snapshot!(comparison(&compared(&samples()[..1]), NARROW));
}

#[test]
fn nothing_run() {
    let test = TestId::from("a.B#c");
    let passed = RunResult::Passed;
    let none = Comparison {
        test: &test,
        watched: Some(&passed),
        runs: Vec::new(),
        standing: Standing::NotReplayable,
    };
    assert_snapshot!(comparison(&[none], NARROW));
}

#[test]
fn lines_keep_to_the_width() {
    for columns in [0, 40, 80, 120] {
        let terminal = Terminal { width: columns, colour: false };
        for line in comparison(&compared(&samples()), terminal).lines() {
            assert!(width(line) <= terminal.columns(), "{line}");
        }
    }
}

#[test]
fn json_has_a_version_counts_and_every_run() {
    let samples = samples();
    let json: Value = serde_json::from_str(&comparison_json(&compared(&samples))).unwrap();
    assert_eq!(json["version"], 1);
    assert_eq!(json["results"]["passed"], 19);
    assert_eq!(json["results"]["timed-out"], 1);
    assert_eq!(json["tests"][1]["runs"].as_array().unwrap().len(), 20);
    insta::assert_json_snapshot!(json["tests"][4]);
}

#[test]
fn what_vms_printed_is_not_shown() {
    let samples = samples();
    let tests = compared(&samples);
    for report in [comparison(&tests, WIDE), comparison_json(&tests)] {
        assert!(!report.contains(SECRET), "{report}");
    }
}
