//! `surefoot reproduce`: what showed a finding, once more.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use anyhow::{Result, bail};
use surefoot_model::{ChoiceId, Choosing, Finding, RunOutcome, RunResult, TestId, Watch};
use surefoot_store::Store;
use surefoot_strategy::{FreshVm, Plan};

use crate::args::PoolOptions;
use crate::commands::explain;
use crate::console::Console;
use crate::exit::Exit;
use crate::laboratory::{Laboratory, limits};
use crate::project;

pub(crate) enum Reproduced {
    Ended(Exit),
    /// This command of Surefoot's shows it, or whether it is still there.
    By(String),
}

pub(crate) fn run(
    project: &Path,
    word: &str,
    options: &PoolOptions,
    console: Console,
) -> Result<Reproduced> {
    let store = Store::open_existing(project)?;
    let lock = store.lock("surefoot reproduce")?;
    let (number, watch) = project::latest_watch(&store, console)?;
    let finding = find(&store, &watch, word)?;
    let Some(choosing) = &finding.choosing else {
        return Ok(Reproduced::By(finding.reproduce));
    };
    let tests = &finding.tests[..finding.tests.len().min(1)];
    if !tests.iter().all(|test| watch.tests.contains_key(test)) {
        bail!(
            "{} was not seen in the newest watched run; if it has another name now, `surefoot assumptions` with that name looks at it",
            tests.first().map_or("the test", TestId::as_str)
        );
    }
    let mut laboratory = Laboratory::open(&lock, number, &watch, options, console)?;
    let choose = Some(choosing.clone());
    let limits = limits(options);
    let plan = Plan { fresh_vm: FreshVm::Test, choose, limits, ..Plan::default() };
    let experiments = plan.experiments(&watch, tests, "reproduce", 1);
    let outcomes = laboratory.conduct("reproduce", &experiments);
    let runs: Vec<RunOutcome> = outcomes.into_iter().flat_map(|outcome| outcome.runs).collect();

    // The first that shows it, if the suite has the test run several times.
    let run = runs.iter().find(|run| run.result.is_bad()).or(runs.first());
    let again = run.filter(|run| run.result.is_bad()).map(|_| finding.clone());
    // Kept once more, so that looking at it again and again does not make it the oldest.
    laboratory.close(again.as_slice())?;
    let Some(run) = run else { bail!("{} did not run", finding.tests[0]) };
    if run.result.passed() && !is_made(choosing, run) {
        console.say("the code that saw the order has changed or is not reached; looking anew");
        return Ok(Reproduced::By(finding.reproduce));
    }
    if let RunResult::Aborted { .. } | RunResult::Skipped { .. } | RunResult::NotRun { .. } =
        &run.result
    {
        let reason = run.result.reason().map(|reason| format!(": {reason}")).unwrap_or_default();
        bail!("{} {}{reason}", run.test, run.result.word());
    }
    let made = run.choices.as_ref().map(|choices| choices.made.as_slice()).unwrap_or_default();
    let seen = surefoot_strategy::told_choices(made, run.result.is_bad());
    console.report(&surefoot_report::reproduction(
        &run.test,
        &run.result,
        &seen,
        console.terminal(),
    ))?;
    Ok(Reproduced::Ended(if run.result.passed() { Exit::NothingFound } else { Exit::Found }))
}

/// Whether the run came to all choices that broke the test.
fn is_made(choosing: &Choosing, run: &RunOutcome) -> bool {
    let made = run.choices.iter().flat_map(|choices| &choices.made);
    let made: BTreeSet<ChoiceId> = made.map(|choice| choice.id).collect();
    choosing.only.iter().flatten().all(|id| made.contains(id))
}

/// By the beginning of its fingerprint, else by a test that it is about.
fn find(store: &Store, watch: &Watch, word: &str) -> Result<Finding> {
    let mut found: BTreeMap<String, Finding> = BTreeMap::new();
    if explain::is_fingerprint(word) {
        let digits = word.to_ascii_lowercase();
        for run in store.runs_backwards()? {
            for finding in run?.findings() {
                let fingerprint = finding.fingerprint();
                if fingerprint.as_str().starts_with(&digits) {
                    // The newest record comes first.
                    found.entry(fingerprint.to_string()).or_insert_with(|| finding.clone());
                }
            }
        }
        if found.is_empty() && watch.tests.keys().all(|test| !test.as_str().contains(word)) {
            bail!(
                "no finding {word} is kept; `surefoot explain TEST` shows those that are, and the newest 10 runs are kept"
            );
        }
    }
    if found.is_empty() {
        let about = explain::newest(store, watch, &[word.to_owned()])?;
        let findings = about.map(|(_, findings)| findings).unwrap_or_default();
        found.extend(findings.into_iter().map(|one| (one.fingerprint().to_string(), one)));
    }
    let names: Vec<String> = found
        .iter()
        .map(|(fingerprint, finding)| {
            let test = finding.tests.first().map_or("", TestId::as_str);
            format!("\n  surefoot reproduce {fingerprint}  # {} {test}", finding.kind.name())
        })
        .collect();
    let mut findings = found.into_values();
    match (findings.next(), findings.next()) {
        (Some(finding), None) => Ok(finding),
        (None, _) => bail!("no finding about {word} is kept"),
        _ => bail!("{word:?} stands for several findings:{}", names.concat()),
    }
}
