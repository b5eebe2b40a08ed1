//! What `surefoot run` ends with: the results beside those of the watched run.

use std::cmp::Reverse;
use std::time::Duration;

use serde::Serialize;
use surefoot_model::{Comparison, RunOutcome, RunResult, Standing, TestId};

use crate::json::document;
use crate::table;
use crate::terminal::{BAD, BOLD, FAINT, Terminal, WARNING};
use crate::text::{cut_end, duration, first_line, pad_left, several, test_name, width};
use crate::{JSON_VERSION, StatusCounts};

/// How many of the slowest runs are shown, if there are more.
const SLOWEST: usize = 3;

/// For people. Tests that ended as watched are only counted.
pub fn comparison(tests: &[Comparison<'_>], terminal: Terminal) -> String {
    differing(tests, terminal) + &slowest(tests, terminal) + &totals(tests, terminal)
}

/// Only the tests that did not end as watched, each with one line on why.
pub fn differing(tests: &[Comparison<'_>], terminal: Terminal) -> String {
    let mut sorted: Vec<&Comparison<'_>> = tests.iter().collect();
    sorted.sort_by_key(|test| (test.standing, test.test));
    let mut text = String::new();
    for test in sorted {
        let (word, style) = match test.standing {
            Standing::NotReplayable => ("NOT REPLAYABLE", WARNING),
            Standing::Differs => ("DIFFERS", BAD),
            Standing::AsWatched => continue,
        };
        let name = test_name(test.test.as_str(), terminal.columns() - width(word) - 2);
        let reason = cut_end(&reason(test), terminal.columns() - 2);
        let (word, name) = (terminal.paint(style, word), terminal.paint(BOLD, &name));
        text.push_str(&format!("{word}  {name}\n  {reason}\n"));
    }
    if !text.is_empty() {
        text.push('\n');
    }
    text
}

/// `passed → failed in 3 of 20 runs: java.lang.AssertionError: expected <1> but was <2>`
fn reason(test: &Comparison<'_>) -> String {
    let was = test.watched.map_or("no result", RunResult::word);
    let differs =
        |run: &&&RunOutcome| test.watched.is_none_or(|watched| !run.result.same_ending(watched));
    let Some(shown) = test.runs.iter().find(differs).or(test.runs.first()) else {
        return format!("{was} → not run");
    };
    let now = &shown.result;
    let alike = test.runs.iter().filter(|run| run.result.same_ending(now)).count();
    let often = match test.runs.len() {
        1 => String::new(),
        all => format!(" in {alike} of {all} runs"),
    };
    let why = match (now.reason(), test.watched.and_then(RunResult::reason)) {
        (Some(why), _) => format!(": {}", first_line(&why)),
        (None, Some(why)) => format!("; was: {}", first_line(&why)),
        (None, None) => String::new(),
    };
    format!("{was} → {}{often}{why}", now.word())
}

fn slowest(tests: &[Comparison<'_>], terminal: Terminal) -> String {
    let mut runs: Vec<&RunOutcome> = tests.iter().flat_map(|test| &test.runs).copied().collect();
    if runs.len() <= SLOWEST {
        return String::new();
    }
    runs.sort_by_key(|run| (Reverse(run.duration_ms), &run.test));
    let times: Vec<String> = runs
        .iter()
        .take(SLOWEST)
        .map(|run| duration(Duration::from_millis(run.duration_ms)))
        .collect();
    let columns = times.iter().map(|time| width(time)).max().unwrap_or_default();
    let mut text = format!("{}\n", terminal.paint(FAINT, "slowest runs"));
    for (run, time) in runs.iter().zip(&times) {
        let room = terminal.columns() - columns - 4;
        let name = test_name(run.test.as_str(), room);
        text.push_str(&format!("  {}  {name}\n", pad_left(time, columns)));
    }
    text.push('\n');
    text
}

fn results<'a>(tests: &'a [Comparison<'_>]) -> impl Iterator<Item = &'a RunResult> {
    tests.iter().flat_map(|test| &test.runs).map(|run| &run.result)
}

fn totals(tests: &[Comparison<'_>], terminal: Terminal) -> String {
    let detail = match results(tests).count() {
        0 => String::new(),
        runs => {
            let counts: StatusCounts = results(tests).collect();
            format!("{}: {}", several(runs, "run"), counts.words())
        }
    };
    let standing = |standing| tests.iter().filter(|test| test.standing == standing).count();
    let rows = [
        ("tests run", tests.len(), detail),
        ("as watched", standing(Standing::AsWatched), String::new()),
        ("differ", standing(Standing::Differs), String::new()),
        ("not replayable", standing(Standing::NotReplayable), String::new()),
    ];
    let rows = rows.map(|(name, number, detail)| [name.to_owned(), number.to_string(), detail]);
    table::totals(&rows, terminal)
}

/// For machines. What VMs printed is left out: a JVM begins with the variables it was started with.
pub fn comparison_json(tests: &[Comparison<'_>]) -> String {
    #[derive(Serialize)]
    struct Report<'a> {
        version: u32,
        results: StatusCounts,
        tests: Vec<TestEntry<'a>>,
    }
    #[derive(Serialize)]
    struct TestEntry<'a> {
        test: &'a TestId,
        standing: Standing,
        watched: Option<&'a RunResult>,
        runs: Vec<RunEntry<'a>>,
    }
    #[derive(Serialize)]
    struct RunEntry<'a> {
        #[serde(flatten)]
        result: &'a RunResult,
        duration_ms: u64,
        vm: u32,
    }
    let entries = tests.iter().map(|test| TestEntry {
        test: test.test,
        standing: test.standing,
        watched: test.watched,
        runs: test
            .runs
            .iter()
            .map(|run| RunEntry { result: &run.result, duration_ms: run.duration_ms, vm: run.vm })
            .collect(),
    });
    document(&Report {
        version: JSON_VERSION,
        results: results(tests).collect(),
        tests: entries.collect(),
    })
}

#[cfg(test)]
mod unit_tests;
