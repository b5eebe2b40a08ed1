//! What `surefoot tests` lists: every run of a test in the watched run.

use std::collections::BTreeSet;
use std::time::Duration;

use serde::Serialize;
use surefoot_model::{ClassFailure, RunResult, Test, TestId, Watch};

use crate::json::document;
use crate::table::{self, Align};
use crate::terminal::{BAD, BOLD, FAINT, PLAIN, Terminal};
use crate::text::{duration, several, test_name};
use crate::{JSON_VERSION, StatusCounts};

/// One run of a test. A caller may leave some out before it shows them.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct TestRow<'a> {
    #[serde(flatten)]
    pub test: &'a Test,
    #[serde(flatten)]
    pub result: &'a RunResult,
    pub duration_us: u64,
    /// From 1, in the order in which the VMs started.
    pub vm: usize,
    pub pid: u32,
    /// Ran at the same time as another test of its VM.
    pub overlapped: bool,
}

/// In the order in which they finished, VM by VM.
pub fn test_rows(watch: &Watch) -> Vec<TestRow<'_>> {
    let mut rows = Vec::new();
    for (at, vm) in watch.vms.iter().enumerate() {
        for run in &vm.runs {
            let Some(test) = watch.tests.get(&run.test) else {
                continue;
            };
            rows.push(TestRow {
                test,
                result: &run.result,
                duration_us: run.duration_us,
                vm: at + 1,
                pid: vm.pid,
                overlapped: run.overlapped,
            });
        }
    }
    rows
}

/// Columns that a test's name gets on even the narrowest terminal.
const NARROWEST_TEST: usize = 20;

/// For people.
pub fn tests_table(rows: &[TestRow<'_>], terminal: Terminal) -> String {
    const ALIGN: [Align; 4] = [Align::Left, Align::Right, Align::Right, Align::Left];
    let head = ["RESULT", "TIME", "VM", "FRAMEWORK"].map(str::to_owned);
    let cells: Vec<[String; 4]> = rows
        .iter()
        .map(|row| {
            [
                row.result.word().to_owned(),
                duration(Duration::from_micros(row.duration_us)),
                row.vm.to_string(),
                row.test.framework.name().to_owned(),
            ]
        })
        .collect();
    let widths = table::widths(cells.iter().chain([&head]));
    let taken = widths.iter().sum::<usize>() + 2 * widths.len();
    let room = terminal.columns().saturating_sub(taken).max(NARROWEST_TEST);

    if rows.is_empty() {
        return "No tests\n".to_owned();
    }
    let head = table::aligned(&head, widths, ALIGN).join("  ") + "  TEST";
    let mut text = terminal.paint(BOLD, &head) + "\n";
    for (row, cells) in rows.iter().zip(&cells) {
        let [result, rest @ ..] = table::aligned(cells, widths, ALIGN);
        let style = match row.result {
            result if result.is_bad() => BAD,
            result if result.passed() => PLAIN,
            _ => FAINT,
        };
        let result = terminal.paint(style, &result);
        let test = test_name(row.test.id.as_str(), room);
        text.push_str(&format!("{result}  {}  {test}\n", rest.join("  ")));
    }
    text.push('\n');
    text.push_str(&footer(rows));
    text
}

/// `4 runs of 3 tests in 2 VMs: 3 passed, 1 failed`
fn footer(rows: &[TestRow<'_>]) -> String {
    let tests: BTreeSet<&TestId> = rows.iter().map(|row| &row.test.id).collect();
    let vms: BTreeSet<usize> = rows.iter().map(|row| row.vm).collect();
    let counts: StatusCounts = rows.iter().map(|row| row.result).collect();
    format!(
        "{} of {} in {}: {}\n",
        several(rows.len(), "run"),
        several(tests.len(), "test"),
        several(vms.len(), "VM"),
        counts.words()
    )
}

/// For machines. `failures` are the class-level set-ups and tear-downs that failed.
pub fn tests_json(rows: &[TestRow<'_>], failures: &[ClassFailure]) -> String {
    #[derive(Serialize)]
    struct Report<'a> {
        version: u32,
        tests: &'a [TestRow<'a>],
        containers: Vec<Container<'a>>,
    }
    #[derive(Serialize)]
    struct Container<'a> {
        #[serde(flatten)]
        container: &'a Test,
        #[serde(flatten)]
        result: RunResult,
    }
    let containers = failures.iter().map(|failure| Container {
        container: &failure.container,
        result: RunResult::Failed { thrown: failure.thrown.clone() },
    });
    document(&Report { version: JSON_VERSION, tests: rows, containers: containers.collect() })
}

#[cfg(test)]
mod unit_tests;
