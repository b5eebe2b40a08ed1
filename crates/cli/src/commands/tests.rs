//! `surefoot tests`

use std::collections::BTreeSet;
use std::path::Path;

use anyhow::Result;
use surefoot_store::Store;

use crate::args::Format;
use crate::console::Console;
use crate::exit::Exit;
use crate::project;

pub(crate) fn run(
    project: &Path,
    words: &[String],
    format: Option<Format>,
    console: Console,
) -> Result<Exit> {
    let store = Store::open_existing(project)?;
    let (_, watch) = project::latest_watch(&store, console)?;
    let wanted: BTreeSet<_> = surefoot_strategy::select(&watch, words)?.into_iter().collect();
    let mut rows = surefoot_report::test_rows(&watch);
    rows.retain(|row| wanted.contains(&row.test.id));
    console.report(&match format.unwrap_or_default() {
        Format::Text => surefoot_report::tests_table(&rows, console.terminal()),
        Format::Json => surefoot_report::tests_json(&rows, &watch.class_failures),
    })?;
    Ok(Exit::NothingFound)
}
