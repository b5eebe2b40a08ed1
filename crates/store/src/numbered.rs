//! Directories `0001`, `0002`, ... of which the newest are kept.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use crate::error::StoreError;
use crate::files::{self, UNFINISHED};

/// How many watched runs, and how many runs of experiments, a store keeps.
pub const KEPT: usize = 10;

pub(crate) fn name(number: u32) -> String {
    format!("{number:04}")
}

/// Ascending. Whatever is not a directory with a number for a name is no business of ours.
pub(crate) fn numbers(parent: &Path) -> Result<Vec<u32>, StoreError> {
    let list = || -> io::Result<Vec<u32>> {
        let mut numbers = Vec::new();
        for entry in fs::read_dir(parent)? {
            let entry = entry?;
            let number = entry.file_name().to_str().and_then(|name| name.parse().ok());
            if let Some(number) = number
                && entry.file_name().to_str() == Some(&name(number))
                && entry.file_type()?.is_dir()
            {
                numbers.push(number);
            }
        }
        numbers.sort_unstable();
        Ok(numbers)
    };
    match list() {
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(Vec::new()),
        listed => listed.map_err(StoreError::io("read", parent)),
    }
}

pub(crate) fn latest(parent: &Path) -> Result<Option<u32>, StoreError> {
    Ok(numbers(parent)?.last().copied())
}

/// Makes the next directory, filled by `fill`, and removes those that are too old to be kept.
///
/// It gets its number only when it is filled, so a numbered directory always has its header.
pub(crate) fn begin(
    parent: &Path,
    fill: impl FnOnce(&Path) -> Result<(), StoreError>,
) -> Result<(u32, PathBuf), StoreError> {
    remove_unfinished(parent);
    let before = numbers(parent)?;
    let number = match before.last() {
        None => 1,
        Some(last) => last.checked_add(1).ok_or_else(|| StoreError::Damaged {
            path: parent.to_owned(),
            what: "its numbers are used up",
        })?,
    };
    let path = parent.join(name(number));
    let unfinished = parent.join(name(number) + UNFINISHED);
    files::ensure_directory(&unfinished)?;
    fill(&unfinished)?;
    fs::rename(&unfinished, &path).map_err(StoreError::io("create the directory", &path))?;

    let too_many = (before.len() + 1).saturating_sub(KEPT);
    for old in &before[..too_many] {
        // What cannot be removed now is tried again next time; it does not stop the work.
        let _ = fs::remove_dir_all(parent.join(name(*old)));
    }
    Ok((number, path))
}

/// What a Surefoot left that was killed while it began.
fn remove_unfinished(parent: &Path) {
    let Ok(entries) = fs::read_dir(parent) else {
        return;
    };
    for entry in entries.flatten() {
        if entry.file_name().to_str().is_some_and(|name| name.ends_with(UNFINISHED)) {
            let _ = fs::remove_dir_all(entry.path());
        }
    }
}
