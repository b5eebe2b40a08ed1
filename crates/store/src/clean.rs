//! Removes a store.

use std::fs;
use std::io::{self, ErrorKind};
use std::path::Path;

use crate::error::StoreError;
use crate::lock::{self, LOCK};
use crate::store::{self, VERSION};

/// What [`clean`] removed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Cleaned {
    pub files: u64,
    pub bytes: u64,
}

/// Removes the project's store, of whatever format, unless another Surefoot is using it.
///
/// It is no method of [`crate::Store`], because it must work on a store that cannot be opened.
pub fn clean(project: &Path, command: &str) -> Result<Cleaned, StoreError> {
    let path = &store::locate(project)?;
    if path.exists() && !path.is_dir() {
        return Err(StoreError::NotADirectory { path: path.clone() });
    }
    match store::refuse_foreign(path).and_then(|()| lock::acquire(path, command)) {
        Ok(_held) => empty(path).map_err(StoreError::io("clean", path)),
        Err(error) if error.is_not_found() => Ok(Cleaned::default()),
        Err(error) => Err(error),
    }
}

/// The version goes late and the lock last: a `clean` that is killed leaves a store that can be cleaned.
fn empty(path: &Path) -> io::Result<Cleaned> {
    let mut cleaned = Cleaned::default();
    for entry in fs::read_dir(path)? {
        let entry = entry?;
        if entry.file_name() != VERSION && entry.file_name() != LOCK {
            remove(&entry.path(), &mut cleaned)?;
        }
    }
    remove(&path.join(VERSION), &mut cleaned)?;
    // Our own, so it does not count as freed.
    fs::remove_file(path.join(LOCK))?;
    match fs::remove_dir(path) {
        Ok(()) => Ok(cleaned),
        Err(error) => match error.kind() {
            // Another Surefoot has begun anew in it.
            ErrorKind::DirectoryNotEmpty => Ok(cleaned),
            // Another one has cleaned it, too.
            ErrorKind::NotFound => Ok(cleaned),
            // It is a link to a directory elsewhere.
            ErrorKind::NotADirectory => Ok(cleaned),
            _ => Err(error),
        },
    }
}

/// Another Surefoot that is just opening the store may have been faster.
fn remove(path: &Path, cleaned: &mut Cleaned) -> io::Result<()> {
    match remove_existing(path, cleaned) {
        Err(error) if error.kind() == ErrorKind::NotFound => Ok(()),
        removed => removed,
    }
}

fn remove_existing(path: &Path, cleaned: &mut Cleaned) -> io::Result<()> {
    let metadata = fs::symlink_metadata(path)?;
    if metadata.is_dir() {
        for entry in fs::read_dir(path)? {
            remove(&entry?.path(), cleaned)?;
        }
        return fs::remove_dir(path);
    }
    fs::remove_file(path)?;
    cleaned.files += 1;
    cleaned.bytes += metadata.len();
    Ok(())
}
