//! `surefoot assumptions`: tests that rely on what is not specified.

use std::num::NonZeroU32;
use std::path::Path;
use std::time::Instant;

use anyhow::Result;
use surefoot_model::Level;
use surefoot_report::Totals;
use surefoot_store::Store;
use surefoot_strategy::{Assumptions, Seeds};

use crate::args::{AssumptionOptions, ChoiceLevel, Format};
use crate::commands::watch::{self, CommandOutput, Told, Watched};
use crate::console::{Console, named};
use crate::exit::Exit;
use crate::laboratory::{Laboratory, limits};

const SEEDS: u32 = 10;

const FIRST_SEED: u64 = 42;

pub(crate) fn run(
    project: &Path,
    words: &[String],
    command: Vec<String>,
    options: AssumptionOptions,
    format: Option<Format>,
    console: Console,
) -> Result<Exit> {
    let started = Instant::now();
    let format = format.unwrap_or_default();
    let store =
        if command.is_empty() { Store::open_existing(project)? } else { Store::open(project)? };
    let lock = store.lock("surefoot assumptions")?;
    let output = CommandOutput::beside(format);
    let watched =
        watch::watch_or_latest(&store, &lock, &command, output, Told::Results.into(), console)?;
    let Watched { number, watch, succeeded, .. } = watched;
    let tests = surefoot_strategy::select(&watch, words)?;
    let mut laboratory = Laboratory::open(&lock, number, &watch, &options.pool, console)?;
    let mut assumptions =
        Assumptions::new(&watch, tests, seeds(&options, SEEDS), limits(&options.pool))
            .divided_among(laboratory.vms());
    let findings = laboratory.pursue(&mut assumptions);

    say_what_was_not_looked_at(&assumptions, laboratory.is_stopped(), console);
    let totals = Totals {
        tests: watch.tests.len(),
        results: watch.runs().map(|run| &run.result).collect(),
        vms: watch.vms.len(),
        replayed: assumptions.run_under_seeds(),
        not_replayable: assumptions.without_control(),
        elapsed: started.elapsed(),
    };
    let reported = console.report(&match format {
        Format::Json => surefoot_report::findings_json(&findings, &[], &totals),
        Format::Text => surefoot_report::summary(&findings, &totals, console.terminal()),
    });
    laboratory.close(&findings)?;
    reported?;
    Ok(if findings.is_empty() && succeeded { Exit::NothingFound } else { Exit::Found })
}

pub(crate) fn seeds(options: &AssumptionOptions, count: u32) -> Seeds {
    Seeds {
        level: match options.level {
            Some(ChoiceLevel::Full) => Level::Full,
            None | Some(ChoiceLevel::Id) => Level::Id,
            Some(ChoiceLevel::Eq) => Level::Eq,
            Some(ChoiceLevel::One) => Level::One,
        },
        first: options.seed.unwrap_or(FIRST_SEED),
        count: options.seeds.map_or(count, NonZeroU32::get),
        models: options.only.iter().map(|model| model.0.clone()).collect(),
        declared: options.declare.iter().map(|method| method.0.clone()).collect(),
    }
}

/// Nothing is dropped in silence.
pub(crate) fn say_what_was_not_looked_at(
    assumptions: &Assumptions<'_>,
    stopped: bool,
    console: Console,
) {
    let without_control = assumptions.without_control();
    if without_control > 0 {
        console.say(&format!(
            "{} did not pass in a VM that leaves every order as it is, and {} not looked at for assumptions",
            tests(without_control),
            if without_control == 1 { "was" } else { "were" },
        ));
    }
    let (unconfirmed, confirmed) = (assumptions.unconfirmed(), assumptions.without_cause());
    let names = named(unconfirmed.iter());
    if !unconfirmed.is_empty() && stopped {
        console.say(&format!(
            "{} failed under a seed and cannot be reported yet ({confirmed} confirmed in fresh VMs), {names}: run `surefoot assumptions` again to learn why",
            tests(unconfirmed.len())
        ));
    } else if !unconfirmed.is_empty() {
        let they = if unconfirmed.len() == 1 { "it is" } else { "they are" };
        console.say(&format!(
            "{} failed under a seed, but alone in fresh VMs not each time with it or not only with it; {they} not reported: {names}",
            tests(unconfirmed.len())
        ));
    }
}

fn tests(number: usize) -> String {
    format!("{number} test{}", if number == 1 { "" } else { "s" })
}
