//! `--eager`: classes are initialised before the first test, and not when a test first uses them.

use std::fs;
use std::path::Path;

use anyhow::{Context, Result, bail};
use surefoot_model::Watch;
use surefoot_strategy::Pollution;

use crate::console::{Console, named};

/// Writes down which classes that are; none if there is nothing to initialise in this language.
pub(crate) fn file(watch: &Watch, directory: &Path, console: Console) -> Result<Option<String>> {
    if watch.launches.values().all(|launch| launch.pytest.is_some()) {
        console.warn("--eager is for classes of the JVM: nothing is initialised up front");
        return Ok(None);
    }
    if watch.classes.is_empty() {
        bail!(
            "which classes the watched run initialised is not known; give the command again: surefoot pollution --eager -- COMMAND"
        );
    }
    let path = directory.join("classes.txt");
    let names: Vec<&str> = watch.classes.iter().map(String::as_str).collect();
    fs::write(&path, names.join("\n"))
        .with_context(|| format!("cannot write {}", path.display()))?;
    Ok(Some(path.to_string_lossy().into_owned()))
}

/// A test may depend on when a class is initialised.
pub(crate) fn say_what_it_changed(pollution: &Pollution<'_>, console: Console) {
    let otherwise = pollution.ended_otherwise();
    let tests = if otherwise.len() == 1 { "test" } else { "tests" };
    if !otherwise.is_empty() {
        console.warn(&format!(
            "{} {tests} passed when watched, and not with all classes initialised up front: {}",
            otherwise.len(),
            named(otherwise.iter())
        ));
    }
}
