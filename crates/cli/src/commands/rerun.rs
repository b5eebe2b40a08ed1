//! `surefoot rerun`: tests that pass once and fail when they run again in the same VM.

use std::collections::BTreeMap;
use std::path::Path;
use std::time::Instant;

use anyhow::Result;
use surefoot_jvm::set_by_initialisers;
use surefoot_model::Observation;
use surefoot_report::Totals;
use surefoot_store::Store;
use surefoot_strategy::{Mode, Rerun, RerunSettings, Rules};

use crate::args::{Format, PollutionOptions, RerunMode, RerunOptions};
use crate::commands::pollution::{OVERHEAD, file_scope, ignored_files};
use crate::commands::watch::{self, CommandOutput, Told, Wanted, Watched};
use crate::console::Console;
use crate::exit::Exit;
use crate::laboratory::{Laboratory, limits};
use crate::ways_in::name_ways_back;

/// The paper's.
const REPEAT: u32 = 2;

/// A longer list hides the findings below it.
const MOST_REMARKS: usize = 20;

pub(crate) fn run(
    project: &Path,
    words: &[String],
    command: Vec<String>,
    options: RerunOptions,
    pollution: &PollutionOptions,
    format: Option<Format>,
    console: Console,
) -> Result<Exit> {
    let started = Instant::now();
    let format = format.unwrap_or_default();
    let store =
        if command.is_empty() { Store::open_existing(project)? } else { Store::open(project)? };
    let lock = store.lock("surefoot rerun")?;
    let output = CommandOutput::beside(format);
    let rules = Rules::new(&pollution.exclude_roots, &pollution.exclude_fields)?;
    let observation = Observation {
        overhead: Some(pollution.overhead.unwrap_or(OVERHEAD)),
        files: file_scope(pollution, &rules),
        ..Observation::default()
    };
    let told = if options.all { Told::Results } else { Told::State(&observation) };
    let wanted = Wanted::from(told).with_parents();
    let watched = watch::watch_or_latest(&store, &lock, &command, output, wanted, console)?;
    let Watched { number, watch, succeeded, parents } = watched;
    let tests = surefoot_strategy::select(&watch, words)?;
    let mut laboratory = Laboratory::open(&lock, number, &watch, &options.pool, console)?;
    laboratory.adopt(parents);
    laboratory.ignore_files(&ignored_files(pollution, &rules));
    let mut rerun = Rerun::new(&watch, &tests, settings(&options)).divided_among(laboratory.vms());
    // What a run of long ago showed may be of other classes; and whoever names a test wants it run.
    if !options.all && !command.is_empty() && words.is_empty() {
        rerun = rerun.without_the_clean();
    }
    if options.mode == Some(RerunMode::Method) {
        let class_paths = watch.launches.values().map(|launch| &launch.class_path);
        rerun =
            rerun.with_set_by_initialisers(class_paths.flat_map(|path| set_by_initialisers(path)));
    }
    let mut findings = laboratory.pursue(&mut rerun);
    name_ways_back(&mut findings, &watch, &rerun);

    let totals = Totals {
        tests: watch.tests.len(),
        results: watch.runs().map(|run| &run.result).collect(),
        vms: watch.vms.len(),
        replayed: rerun.repeated(),
        not_replayable: rerun.not_replayable(),
        elapsed: started.elapsed(),
    };
    say_what_is_open(&rerun, format, console);
    let text = match format {
        Format::Json => surefoot_report::findings_json(&findings, &[], &totals),
        Format::Text => {
            let terminal = console.terminal();
            surefoot_report::remarks(&rerun.remarks(), MOST_REMARKS, terminal)
                + &surefoot_report::summary(&findings, &totals, terminal)
        }
    };
    let reported = console.report(&text);
    laboratory.close(&findings)?;
    reported?;
    Ok(if findings.is_empty() && succeeded { Exit::NothingFound } else { Exit::Found })
}

pub(crate) fn settings(options: &RerunOptions) -> RerunSettings {
    RerunSettings {
        mode: options.mode.map(|mode| match mode {
            RerunMode::Suite => Mode::Suite,
            RerunMode::Class => Mode::Class,
            RerunMode::Method => Mode::Method,
        }),
        repeat: options.repeat.unwrap_or(REPEAT),
        class_setup: options.class_setup.map(Into::into).unwrap_or_default(),
        across_vms: options.across_vms,
        limits: limits(&options.pool),
    }
}

/// Whoever reads JSON finds no remarks there, so they are counted here.
pub(crate) fn say_what_is_open(rerun: &Rerun<'_>, format: Format, console: Console) {
    let skipped = rerun.skipped();
    if skipped > 0 {
        let were = if skipped == 1 { "was" } else { "were" };
        let wanted = rerun.wanted();
        console.say(&format!(
            "{skipped} of {wanted} tests {were} not run twice, having left all as before that is looked at; locks and what libraries keep in static fields or in C is not (--all runs every test)"
        ));
    }
    let unconfirmed = rerun.unconfirmed();
    if unconfirmed > 0 {
        console.warn(&format!(
            "{unconfirmed} more tests did not pass each time; they were not run alone, as so many point to a cause outside the tests"
        ));
    }
    let mut counts: BTreeMap<String, usize> = BTreeMap::new();
    for remark in rerun.remarks() {
        *counts.entry(remark.verdict).or_default() += 1;
    }
    if format == Format::Json && !counts.is_empty() {
        let counts: Vec<String> =
            counts.iter().map(|(verdict, count)| format!("{count} {verdict}")).collect();
        console.say(&format!(
            "tests that did not pass each time and are no findings: {}",
            counts.join(", ")
        ));
    }
}
