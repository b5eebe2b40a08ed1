//! `surefoot pollution --dump-state`: the state before and after a test, for people to read.

use std::fs;
use std::path::Path;

use anyhow::{Result, bail};
use surefoot_model::Observe;
use surefoot_store::Store;
use surefoot_strategy::{Plan, Rules};

use crate::args::PollutionOptions;
use crate::capture;
use crate::console::Console;
use crate::exit::Exit;
use crate::laboratory::{Laboratory, limits};
use crate::project;

/// More lines are in the files.
const MOST_SHOWN: usize = 200;

pub(crate) fn run(
    project: &Path,
    word: String,
    options: PollutionOptions,
    console: Console,
) -> Result<Exit> {
    Rules::check(&options.include_roots)?;
    let store = Store::open_existing(project)?;
    let lock = store.lock("surefoot pollution --dump-state")?;
    let (number, watch) = project::latest_watch(&store, console)?;
    let tests = surefoot_strategy::select(&watch, std::slice::from_ref(&word))?;
    let tests = capture::that_come_there(tests, options.capture, &watch, console)?;
    let [test] = &tests[..] else {
        bail!(
            "{word:?} stands for {} tests, and --dump-state is about one: name it as `surefoot tests` does",
            tests.len()
        );
    };
    let mut laboratory = Laboratory::open(&lock, number, &watch, &options.pool, console)?;
    let directory = laboratory.directory().to_owned();
    let plan = Plan {
        observe: Observe::Each,
        include_roots: options.include_roots.clone(),
        capture: options.capture,
        dump: Some(directory.to_string_lossy().into_owned()),
        limits: limits(&options.pool),
        ..Plan::default()
    };
    let experiments = plan.experiments(&watch, &tests, "dump-state", 1);
    let outcomes = laboratory.conduct("dump-state", &experiments);
    laboratory.close(&[])?;
    for run in outcomes.iter().flat_map(|outcome| &outcome.runs) {
        if let Some(reason) = run.result.reason() {
            console.warn(&format!("{test} {}: {reason}", run.result.word()));
        }
    }
    let [before, after] = ["before.txt", "after.txt"].map(|name| directory.join(name));
    let (Ok(was), Ok(is)) = (fs::read_to_string(&before), fs::read_to_string(&after)) else {
        bail!(
            "the state around {test} was not seen; tests of TestNG and pytest are not looked at, nor is one that does not run"
        );
    };
    let mut text = String::new();
    for (name, path, lines) in [("before", &before, &was), ("after", &after, &is)] {
        let shown = path.strip_prefix(project).unwrap_or(path).display();
        text += &format!("{name:<6}  {:>7} lines in {shown}\n", lines.lines().count());
    }
    let changes = surefoot_report::state_changes(&was, &is);
    if changes.is_empty() {
        text += "no line differs\n";
    }
    for change in changes.iter().take(MOST_SHOWN) {
        text += &format!("{change}\n");
    }
    if changes.len() > MOST_SHOWN {
        text += &format!("and {} more\n", changes.len() - MOST_SHOWN);
    }
    console.report(&text)?;
    Ok(Exit::NothingFound)
}
