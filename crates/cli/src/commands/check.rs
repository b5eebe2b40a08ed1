//! `surefoot check`: watch, then every technique.

use std::path::Path;
use std::time::Instant;

use anyhow::Result;
use surefoot_model::{Finding, Outcome, Standing};
use surefoot_report::Totals;
use surefoot_store::Store;
use surefoot_strategy::{Replay, Strategy, compare};

use crate::args::{CheckOptions, Format};
use crate::commands::watch;
use crate::console::Console;
use crate::exit::Exit;
use crate::laboratory::{Laboratory, limits};

const REPLAYS: u32 = 2;

pub(crate) fn run(
    project: &Path,
    command: Vec<String>,
    options: CheckOptions,
    format: Option<Format>,
    console: Console,
) -> Result<Exit> {
    let started = Instant::now();
    let store = Store::open(project)?;
    let lock = store.lock(&format!("surefoot check -- {}", command.join(" ")))?;
    let watched = watch::watch(&store, &lock, project, &command, console)?;
    let mut laboratory = Laboratory::open(&lock, watched.number, &watched.watch, &options.pool, console)?;

    let replays = options.replays.map_or(REPLAYS, |replays| replays.get());
    let mut replay = Replay::new(&watched.watch, replays, limits(&options.pool));
    let mut findings = pursue(&mut replay, &mut laboratory);
    findings.sort_by(|a, b| (a.kind, &a.tests).cmp(&(b.kind, &b.tests)));

    let reported = report(&watched.watch, replay.outcomes(), &findings, started, format.unwrap_or_default(), console);
    laboratory.close(&findings)?;
    reported?;
    Ok(if findings.is_empty() && watched.succeeded { Exit::NothingFound } else { Exit::Found })
}

/// Lets a technique run its experiments until it has no more, or the user stops.
fn pursue(strategy: &mut dyn Strategy, laboratory: &mut Laboratory) -> Vec<Finding> {
    while !laboratory.interrupted() {
        let experiments = strategy.propose();
        if experiments.is_empty() {
            break;
        }
        let outcomes = laboratory.conduct(strategy.name(), &experiments);
        strategy.observe(outcomes);
    }
    strategy.findings()
}

fn report(
    watch: &surefoot_model::Watch,
    outcomes: &[Outcome],
    findings: &[Finding],
    started: Instant,
    format: Format,
    console: Console,
) -> Result<()> {
    let comparisons = compare(watch, outcomes);
    let not_replayable: Vec<_> =
        comparisons.iter().filter(|c| c.standing == Standing::NotReplayable).cloned().collect();
    let totals = Totals {
        tests: watch.tests.len(),
        results: watch.runs().map(|run| &run.result).collect(),
        vms: watch.vms.len(),
        replayed: comparisons.len(),
        not_replayable: not_replayable.len(),
        elapsed: started.elapsed(),
    };
    let text = match format {
        Format::Json => surefoot_report::findings_json(findings, &totals),
        Format::Text => {
            let list = surefoot_report::differing(&not_replayable, console.terminal());
            list + &surefoot_report::summary(findings, &totals, console.terminal())
        }
    };
    console.report(&text)
}
