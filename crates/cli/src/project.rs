//! The project that Surefoot works on, and what it knows of it.

use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};
use surefoot_model::Watch;
use surefoot_store::{Store, StoredWatch};

use crate::console::Console;
use crate::languages;

pub(crate) fn directory(given: Option<&Path>) -> Result<PathBuf> {
    let path = given.unwrap_or(Path::new("."));
    let found = std::fs::canonicalize(path)
        .with_context(|| format!("there is no project directory {}", path.display()))?;
    if !found.is_dir() {
        bail!("{} is a file; give the directory of the project", path.display());
    }
    Ok(found)
}

/// The newest watched run, with its number. There are tests in it.
pub(crate) fn latest_watch(store: &Store, console: Console) -> Result<(u32, Watch)> {
    let Some(stored) = store.latest_watch()? else {
        bail!(
            "nothing has been watched here yet; run `surefoot watch -- <your test command>` first"
        );
    };
    let (number, command) = (stored.number, shown(&stored.header.command));
    if stored.end.is_none() {
        console.warn(&format!("`{command}` was not watched to its end: Surefoot was killed meanwhile, or is still at it"));
    }
    let watch = watch_of(stored, console);
    if watch.tests.is_empty() {
        bail!(
            "no test was seen when `{command}` was watched; run `surefoot watch -- <your test command>` again"
        );
    }
    Ok((number, watch))
}

/// Before a long run: says which of these words no test was seen for the last time. They may be new.
pub(crate) fn warn_of_unknown(store: &Store, words: &[String], console: Console) {
    if let Ok(Some(stored)) = store.latest_watch() {
        let watch = languages::watch(stored.vms.into_iter().map(|vm| vm.events).collect());
        if let Err(unknown) = surefoot_strategy::select(&watch, words) {
            console.warn(&format!("{unknown}; going on, as the test may be new"));
        }
    }
}

/// What was just watched, tests or not.
pub(crate) fn watched_just_now(store: &Store, console: Console) -> Result<Watch> {
    let stored = store
        .latest_watch()?
        .context("what was just watched is gone; did somebody remove .surefoot?")?;
    Ok(watch_of(stored, console))
}

/// A command for a sentence: its beginning is enough to know it by.
pub(crate) fn shown(command: &[String]) -> String {
    const MOST: usize = 60;
    let command = command.join(" ");
    match command.char_indices().nth(MOST) {
        Some((end, _)) => format!("{}…", &command[..end]),
        None => command,
    }
}

fn watch_of(stored: StoredWatch, console: Console) -> Watch {
    for damage in &stored.damages {
        console.warn(&damage.to_string());
    }
    let watch = languages::watch(stored.vms.into_iter().map(|vm| vm.events).collect());
    // The same trouble in every VM is one trouble.
    let mut told: Vec<&String> = Vec::new();
    for trouble in &watch.troubles {
        if !told.contains(&trouble) {
            console.warn(trouble);
            told.push(trouble);
        }
    }
    watch
}
