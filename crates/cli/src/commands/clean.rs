//! `surefoot clean`

use std::path::Path;

use anyhow::Result;

use crate::console::Console;
use crate::exit::Exit;

pub(crate) fn run(project: &Path, console: Console) -> Result<Exit> {
    let cleaned = surefoot_store::clean(project, "surefoot clean")?;
    console.say(&format!("removed {} files, {} KiB", cleaned.files, cleaned.bytes / 1024));
    Ok(Exit::NothingFound)
}
