//! `surefoot explain`: all that is known of the findings about a test.

use std::collections::BTreeSet;
use std::path::Path;

use anyhow::Result;
use surefoot_model::{Finding, TestId, Watch};
use surefoot_store::{Store, StoredRun};

use crate::console::Console;
use crate::exit::Exit;
use crate::project;

pub(crate) fn run(project: &Path, words: &[String], console: Console) -> Result<Exit> {
    let store = Store::open_existing(project)?;
    let (_, watch) = project::latest_watch(&store, console)?;
    if let Some((run, findings)) = newest(&store, &watch, words)? {
        let terminal = console.terminal();
        let told = findings.iter().map(|finding| {
            let failure = finding.tests.first().and_then(|test| run.failure(test));
            surefoot_report::details(finding, failure, terminal)
        });
        console.report(&told.collect::<String>())?;
        return Ok(Exit::Found);
    }
    console.say(&format!(
        "no finding about {} is kept; `surefoot rerun {}` looks whether there is one",
        words.join(" "),
        words.join(" ")
    ));
    Ok(Exit::NothingFound)
}

/// The findings about these tests, of the newest run of experiments that has any.
pub(crate) fn newest(
    store: &Store,
    watch: &Watch,
    words: &[String],
) -> Result<Option<(StoredRun, Vec<Finding>)>> {
    let wanted: BTreeSet<TestId> = surefoot_strategy::select(watch, words)?.into_iter().collect();
    let about = |finding: &&Finding| finding.tests.iter().any(|test| wanted.contains(test));
    for run in store.runs_backwards()? {
        let run = run?;
        let found: Vec<Finding> = run.findings().filter(about).cloned().collect();
        if !found.is_empty() {
            return Ok(Some((run, found)));
        }
    }
    Ok(None)
}
