//! `surefoot check`: watch, then every technique.

use std::collections::BTreeSet;
use std::path::Path;
use std::time::Instant;

use anyhow::Result;
use surefoot_model::{Comparison, Finding, FindingKind, Observation, Standing, TestId, Watch};
use surefoot_report::Totals;
use surefoot_store::Store;
use surefoot_strategy::{
    Assumptions, Pollution, Replay, Rerun, RerunSettings, Rules, Scope, compare,
};

use crate::args::{CheckOptions, Format};
use crate::code::WatchedCode;
use crate::commands::assumptions::{self, say_what_was_not_looked_at};
use crate::commands::pollution::{
    OVERHEAD, file_scope, ignored_files, say_what_is_not_ruled_out, say_what_was_left_out,
};
use crate::commands::rerun;
use crate::commands::watch::{self, CommandOutput, Told, Wanted};
use crate::config::Config;
use crate::console::{Console, named};
use crate::exit::Exit;
use crate::laboratory::{Laboratory, limits};
use crate::ways_in::{name_ways_back, name_ways_in};

const REPLAYS: u32 = 2;

/// Fewer than on its own: a check is for every day.
const SEEDS: u32 = 5;

/// A longer list hides the findings below it.
const MOST_SHOWN: usize = 20;

pub(crate) fn run(
    project: &Path,
    command: Vec<String>,
    options: CheckOptions,
    config: &Config,
    format: Option<Format>,
    console: Console,
) -> Result<Exit> {
    let started = Instant::now();
    let rules = Rules::new(&config.pollution.exclude_roots, &config.pollution.exclude_fields)?;
    let overhead = Some(config.pollution.overhead.unwrap_or(OVERHEAD));
    let files = file_scope(&config.pollution, &rules);
    Rules::check(&config.pollution.include_roots)?;
    let include_roots = config.pollution.include_roots.clone();
    let observation = Observation {
        overhead,
        files: files.clone(),
        include_roots: include_roots.clone(),
        ..Observation::default()
    };
    let store = Store::open(project)?;
    let lock = store.lock(&format!("surefoot check -- {}", command.join(" ")))?;
    let format = format.unwrap_or_default();
    let output = CommandOutput::beside(format);
    let wanted = Wanted::from(Told::State(&observation)).with_parents();
    let watched = watch::watch(&store, &lock, &command, output, wanted, console)?;
    let mut laboratory =
        Laboratory::open(&lock, watched.number, &watched.watch, &options.pool, console)?;
    laboratory.adopt(watched.parents);
    laboratory.ignore_files(&ignored_files(&config.pollution, &rules));

    let replays = options.replays.map_or(REPLAYS, |replays| replays.get());
    let mut replay =
        Replay::new(&watched.watch, replays, limits(&options.pool)).with_vms(laboratory.vms());
    let mut findings = laboratory.pursue(&mut replay);
    let beside_others = replay.disturb_each_other();
    if !beside_others.is_empty() {
        laboratory.have_one_vm_at_a_time();
        console.warn(&format!(
            "failed while another VM of Surefoot's ran, and not without: {}; they seem to share files or ports, so from here on one VM runs at a time (--jobs 1 does so from the beginning)",
            named(beside_others.iter())
        ));
    }
    let tests: Vec<TestId> = watched.watch.tests.keys().cloned().collect();
    if config.pollution.capture.is_some() {
        console.warn(
            "check compares the state around whole tests: capture is for `surefoot pollution`",
        );
    }
    if config.pollution.eager {
        console.warn(
            "check leaves it to the tests to initialise classes: eager is for `surefoot pollution`",
        );
    }
    let scope = Scope { tests: tests.clone(), files, include_roots, ..Scope::default() };
    let code = WatchedCode::of(&watched.watch);
    let mut pollution = Pollution::new(&watched.watch, scope, rules, limits(&options.pool))
        .knowing(&code)
        .numbered_from(replay.next_id());
    let found = laboratory.pursue(&mut pollution);
    say_what_is_not_ruled_out(&found, &laboratory, console);
    findings.extend(found);
    name_ways_in(&mut findings, &watched.watch);
    let settings =
        RerunSettings { limits: limits(&options.pool), ..rerun::settings(&config.rerun) };
    let mut rerun = Rerun::new(&watched.watch, &tests, settings)
        .numbered_from(pollution.next_id())
        .divided_among(laboratory.vms());
    if !config.rerun.all {
        rerun = rerun.without_the_clean();
    }
    let mut found = laboratory.pursue(&mut rerun);
    name_ways_back(&mut found, &watched.watch, &rerun);
    add(&mut findings, found);
    let seeds = assumptions::seeds(&config.assumptions, SEEDS);
    let mut assumptions = Assumptions::new(&watched.watch, tests, seeds, limits(&options.pool))
        .numbered_from(rerun.next_id())
        .divided_among(laboratory.vms());
    let found = laboratory.pursue(&mut assumptions);
    add(&mut findings, found);
    say_what_was_not_looked_at(&assumptions, laboratory.is_stopped(), console);
    findings.sort_by(|a, b| (a.kind, &a.tests).cmp(&(b.kind, &b.tests)));

    let techniques = Techniques { replay, pollution, rerun };
    let reported = report(&watched.watch, &techniques, &findings, started, format, console);
    laboratory.close(&findings)?;
    reported?;
    Ok(if findings.is_empty() && watched.succeeded { Exit::NothingFound } else { Exit::Found })
}

struct Techniques<'a> {
    replay: Replay<'a>,
    pollution: Pollution<'a>,
    rerun: Rerun<'a>,
}

/// What replays have shown to end by chance is called flaky once, and nothing else that runs would show.
fn add(findings: &mut Vec<Finding>, found: Vec<Finding>) {
    let flaky: BTreeSet<TestId> = findings
        .iter()
        .filter(|finding| finding.kind == FindingKind::Flaky)
        .flat_map(|finding| finding.tests.iter().cloned())
        .collect();
    let by_chance = |finding: &Finding| finding.tests.iter().any(|test| flaky.contains(test));
    findings.extend(found.into_iter().filter(|finding| !by_chance(finding)));
}

fn report(
    watch: &Watch,
    techniques: &Techniques<'_>,
    findings: &[Finding],
    started: Instant,
    format: Format,
    console: Console,
) -> Result<()> {
    let Techniques { replay, pollution, rerun } = techniques;
    say_what_was_left_out(pollution, console);
    rerun::say_what_is_open(rerun, format, console);
    let comparisons = compare(watch, replay.outcomes());
    let found: BTreeSet<&TestId> = findings.iter().flat_map(|finding| &finding.tests).collect();
    let unexplained: Vec<Comparison<'_>> = comparisons
        .iter()
        .filter(|comparison| {
            comparison.standing != Standing::AsWatched && !found.contains(comparison.test)
        })
        .cloned()
        .collect();
    let not_replayable =
        |comparison: &&Comparison<'_>| comparison.standing == Standing::NotReplayable;
    let totals = Totals {
        tests: watch.tests.len(),
        results: watch.runs().map(|run| &run.result).collect(),
        vms: watch.vms.len(),
        replayed: comparisons.len(),
        not_replayable: comparisons.iter().filter(not_replayable).count(),
        elapsed: started.elapsed(),
    };
    let unconfirmed = replay.unconfirmed();
    if unconfirmed > 0 {
        console.warn(&format!(
            "{unconfirmed} more tests did not end as watched; they were not looked at again, as so many point to a cause outside the tests"
        ));
    }
    let disturbed = replay.disturbed();
    if !disturbed.is_empty() {
        console.warn(&format!(
            "failed only while another VM of Surefoot's ran, and so may share a file or a port with it: {} (--jobs 1 runs one at a time)",
            named(disturbed.iter())
        ));
    }
    let suppressed = pollution.suppressed();
    let text = match format {
        Format::Json => surefoot_report::findings_json(findings, &suppressed, &totals),
        Format::Text => {
            let shown = &unexplained[..unexplained.len().min(MOST_SHOWN)];
            let mut list = surefoot_report::differing(shown, console.terminal());
            if unexplained.len() > MOST_SHOWN {
                list += &format!(
                    "and {} more: `surefoot run` lists them\n\n",
                    unexplained.len() - MOST_SHOWN
                );
            }
            let terminal = console.terminal();
            let listed: BTreeSet<&TestId> = unexplained.iter().map(|one| one.test).collect();
            let mut remarks = rerun.remarks();
            remarks.retain(|one| !listed.contains(&one.test) && !found.contains(&one.test));
            list += &surefoot_report::remarks(&remarks, MOST_SHOWN, terminal);
            list + &surefoot_report::summary(findings, &totals, terminal)
                + &surefoot_report::suppressed(&suppressed, false, terminal)
        }
    };
    console.report(&text)
}
