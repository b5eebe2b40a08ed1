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
    let by_fingerprint = match words {
        [word] if is_fingerprint(word) => with_fingerprint(&store, word)?,
        _ => None,
    };
    let found = match by_fingerprint {
        None => newest(&store, &watch, words)?,
        found => found,
    };
    if let Some((run, findings)) = found {
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

/// Whether it may be the beginning of a fingerprint. With fewer digits it is taken for the name of a test.
pub(crate) fn is_fingerprint(word: &str) -> bool {
    const FEWEST_DIGITS: usize = 6;
    word.len() >= FEWEST_DIGITS && word.chars().all(|c| c.is_ascii_hexdigit())
}

/// Of the newest run of experiments that has any.
fn with_fingerprint(store: &Store, word: &str) -> Result<Option<(StoredRun, Vec<Finding>)>> {
    let digits = word.to_ascii_lowercase();
    newest_of(store, |finding| finding.fingerprint().as_str().starts_with(&digits))
}

/// The findings about these tests, of the newest run of experiments that has any.
pub(crate) fn newest(
    store: &Store,
    watch: &Watch,
    words: &[String],
) -> Result<Option<(StoredRun, Vec<Finding>)>> {
    let wanted: BTreeSet<TestId> = surefoot_strategy::select(watch, words)?.into_iter().collect();
    newest_of(store, |finding| finding.tests.iter().any(|test| wanted.contains(test)))
}

fn newest_of(
    store: &Store,
    is_wanted: impl Fn(&Finding) -> bool,
) -> Result<Option<(StoredRun, Vec<Finding>)>> {
    for run in store.runs_backwards()? {
        let run = run?;
        let found: Vec<Finding> = run.findings().filter(|one| is_wanted(one)).cloned().collect();
        if !found.is_empty() {
            return Ok(Some((run, found)));
        }
    }
    Ok(None)
}
