//! The project that Surefoot works on, and what it knows of it.

use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};
use surefoot_jvm::watched;
use surefoot_model::Watch;
use surefoot_store::{Store, StoredWatch};

use crate::console::Console;

pub(crate) fn directory(given: Option<&Path>) -> Result<PathBuf> {
    let path = given.unwrap_or(Path::new("."));
    std::fs::canonicalize(path).with_context(|| format!("there is no project directory {}", path.display()))
}

/// The newest watched run, with its number.
pub(crate) fn latest_watch(store: &Store, console: Console) -> Result<(u32, Watch)> {
    let Some(stored) = store.latest_watch()? else {
        bail!("nothing has been watched here yet; run `surefoot watch -- <your test command>` first");
    };
    let number = stored.number;
    Ok((number, watch_of(stored, console)))
}

pub(crate) fn watch_of(stored: StoredWatch, console: Console) -> Watch {
    for damage in &stored.damages {
        console.warn(&damage.to_string());
    }
    let watch = watched::watch(stored.vms.into_iter().map(|vm| vm.events).collect());
    for trouble in &watch.troubles {
        console.warn(trouble);
    }
    watch
}
