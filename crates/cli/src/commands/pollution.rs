//! `surefoot pollution`: tests that leave the state that tests share changed.

use std::collections::BTreeSet;
use std::path::Path;
use std::time::Instant;

use anyhow::{Result, bail};
use surefoot_model::{FileScope, Finding, Observation, TestId, Watch};
use surefoot_report::Totals;
use surefoot_store::Store;
use surefoot_strategy::{Pollution, Rules, Scope};

use crate::args::{Format, PollutionOptions};
use crate::capture;
use crate::code::WatchedCode;
use crate::commands::watch::{self, CommandOutput, Told, Watched};
use crate::console::{Console, named};
use crate::eager;
use crate::exit::Exit;
use crate::laboratory::{Laboratory, limits};
use crate::project;
use crate::ways_in::name_ways_in;

/// In KiB; larger files are compared by size alone.
const FILE_LIMIT: u64 = 1024;

/// Where looking is not all that is wanted: exact where that is cheap, and never much slower than the suite itself.
pub(crate) const OVERHEAD: f64 = 1.5;

pub(crate) fn run(
    project: &Path,
    words: &[String],
    command: Vec<String>,
    options: PollutionOptions,
    format: Option<Format>,
    console: Console,
) -> Result<Exit> {
    let started = Instant::now();
    let format = format.unwrap_or_default();
    let rules = Rules::new(&options.exclude_roots, &options.exclude_fields)?;
    let files = file_scope(&options, &rules);
    Rules::check(&options.include_roots)?;
    let include_roots = options.include_roots.clone();
    let observation = Observation {
        overhead: options.overhead,
        files: files.clone(),
        include_roots: include_roots.clone(),
        ..Observation::default()
    };
    let store =
        if command.is_empty() { Store::open_existing(project)? } else { Store::open(project)? };
    let lock = store.lock("surefoot pollution")?;
    if !command.is_empty() {
        project::warn_of_unknown(&store, words, console);
    }
    let output = CommandOutput::beside(format);
    let capture = options.capture;
    let wanted = match capture {
        _ if options.eager => Told::Classes,
        // What is between two points says little of the whole test, and what is watched is there for other commands too.
        Some(_) => Told::Results,
        None => Told::State(&observation),
    };
    let watched = watch::watch_or_latest(&store, &lock, &command, output, wanted.into(), console)?;
    let Watched { number, watch, succeeded, .. } = watched;
    let tests = surefoot_strategy::select(&watch, words)?;
    let tests = capture::that_come_there(tests, capture, &watch, console)?;
    let could_be_looked_at = any_can_be_looked_at(&tests, &watch);
    let mut laboratory = Laboratory::open(&lock, number, &watch, &options.pool, console)?;
    let eager = match options.eager {
        true => eager::file(&watch, laboratory.directory(), console)?,
        false => None,
    };
    let anew = command.is_empty() || capture.is_some();
    let roots = options.root.clone();
    let scope = Scope { tests, files, include_roots, roots, capture, eager, anew };
    let code = WatchedCode::of(&watch);
    let mut pollution = Pollution::new(&watch, scope, rules, limits(&options.pool)).knowing(&code);
    let mut findings = laboratory.pursue(&mut pollution);
    say_what_is_not_ruled_out(&findings, &laboratory, console);
    name_ways_in(&mut findings, &watch);

    let totals = Totals {
        tests: watch.tests.len(),
        results: watch.runs().map(|run| &run.result).collect(),
        vms: watch.vms.len(),
        replayed: pollution.looked_at(),
        not_replayable: 0,
        elapsed: started.elapsed(),
    };
    say_what_was_left_out(&pollution, console);
    capture::say_who_did_not(capture, &pollution, console);
    if options.eager {
        eager::say_what_it_changed(&pollution, console);
    }
    let suppressed = pollution.suppressed();
    let text = match format {
        Format::Json => surefoot_report::findings_json(&findings, &suppressed, &totals),
        Format::Text => {
            let terminal = console.terminal();
            let mut text = surefoot_report::summary(&findings, &totals, terminal);
            text += &surefoot_report::suppressed(&suppressed, options.show_suppressed, terminal);
            if options.suggest_rules {
                text += &surefoot_report::suggested_rules(&findings);
            }
            text
        }
    };
    let reported = console.report(&text);
    laboratory.close(&findings)?;
    reported?;
    if pollution.looked_at() == 0 && could_be_looked_at {
        bail!("no test could be looked at; the reason should be above");
    }
    Ok(if findings.is_empty() && succeeded { Exit::NothingFound } else { Exit::Found })
}

/// One of the tests passed while no other one ran: what it changes can be told.
fn any_can_be_looked_at(tests: &[TestId], watch: &Watch) -> bool {
    let tests: BTreeSet<&TestId> = tests.iter().collect();
    let mut sound = watch.runs().filter(|run| run.result.passed() && !run.overlapped);
    sound.any(|run| tests.contains(&run.test))
}

pub(crate) fn file_scope(options: &PollutionOptions, rules: &Rules) -> Option<FileScope> {
    if options.no_files || !options.root.is_empty() {
        return None;
    }
    Some(FileScope {
        directories: options.files.clone(),
        ignore: ignored_files(options, rules),
        most_bytes: options.file_limit.unwrap_or(FILE_LIMIT).saturating_mul(1024),
    })
}

/// Files that no test is asked about.
pub(crate) fn ignored_files(options: &PollutionOptions, rules: &Rules) -> Vec<String> {
    // Where the user has our own output written to: it grows while tests run.
    let outputs = ["/proc/self/fd/1", "/proc/self/fd/2"].into_iter().filter_map(|output| {
        let path = std::fs::read_link(output).ok().filter(|path| path.is_file())?;
        path.into_os_string().into_string().ok()
    });
    let ignored = rules.ignored_files().iter().chain(&options.ignore_files).cloned();
    ignored.chain(outputs).collect()
}

/// What the user has stopped may not have ruled out all that it would.
pub(crate) fn say_what_is_not_ruled_out(
    found: &[Finding],
    laboratory: &Laboratory,
    console: Console,
) {
    if laboratory.is_stopped() && !found.is_empty() {
        console.warn(
            "stopped before all tests ran in the opposite order, which shows what is filled on demand: some of what is reported as pollution may be no more than that",
        );
    }
}

pub(crate) fn say_what_was_left_out(pollution: &Pollution<'_>, console: Console) {
    let unclear = pollution.unclear();
    if unclear > 0 {
        console.warn(&format!(
            "whether {unclear} of the tests change anything could not be found out: there are too many objects, or too many that look alike"
        ));
    }
    let failed = pollution.failed_backwards();
    if !failed.is_empty() {
        console.warn(&format!(
            "passed when watched and not in the opposite order, so that {} on which tests come before: {} (`surefoot run --order reverse` runs them so)",
            if failed.len() == 1 { "it may depend" } else { "they may depend" },
            named(failed.iter()),
        ));
    }
}
