//! `surefoot run`: tests again, without the build tool.

use std::num::NonZeroU32;
use std::path::Path;

use anyhow::Result;
use surefoot_model::Standing;
use surefoot_store::Store;
use surefoot_strategy::{FreshVm, Order, Plan, compare};

use crate::args::{Format, FreshVmPer, RunOptions, TestOrder};
use crate::console::Console;
use crate::exit::Exit;
use crate::laboratory::{Laboratory, limits};
use crate::project;

pub(crate) fn run(
    project: &Path,
    words: &[String],
    options: RunOptions,
    format: Option<Format>,
    console: Console,
) -> Result<Exit> {
    let store = Store::open_existing(project)?;
    let lock = store.lock("surefoot run")?;
    let (number, watch) = project::latest_watch(&store, console)?;
    let tests = surefoot_strategy::select(&watch, words)?;
    let experiments = plan(&options).experiments(&watch, &tests, "run", 1);
    let mut laboratory = Laboratory::open(&lock, number, &watch, &options.pool, console)?;
    let outcomes = laboratory.conduct("run", &experiments);

    let comparisons = compare(&watch, &outcomes);
    let reported = console.report(&match format.unwrap_or_default() {
        Format::Text => surefoot_report::comparison(&comparisons, console.terminal()),
        Format::Json => surefoot_report::comparison_json(&comparisons),
    });
    laboratory.close(&[])?;
    reported?;
    let as_watched =
        comparisons.iter().all(|comparison| comparison.standing == Standing::AsWatched);
    Ok(if as_watched { Exit::NothingFound } else { Exit::Found })
}

fn plan(options: &RunOptions) -> Plan {
    Plan {
        repeat: options.repeat.map_or(1, NonZeroU32::get),
        rounds: options.rounds.map_or(1, NonZeroU32::get),
        fresh_vm: match options.fresh_vm_per {
            None => FreshVm::AsWatched,
            Some(FreshVmPer::Test) => FreshVm::Test,
            Some(FreshVmPer::Class) => FreshVm::Class,
            Some(FreshVmPer::Suite) => FreshVm::Suite,
        },
        order: match options.order {
            None | Some(TestOrder::AsSeen) => Order::AsSeen,
            Some(TestOrder::Reverse) => Order::Reverse,
            Some(TestOrder::Random(seed)) => Order::Random(seed),
            Some(TestOrder::Given) => Order::Given,
        },
        class_setup: options.class_setup.map(Into::into).unwrap_or_default(),
        limits: limits(&options.pool),
        ..Plan::default()
    }
}
