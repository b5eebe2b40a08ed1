//! One Surefoot at a time: an advisory lock that the system releases when its process ends, however it
//! ends.

use std::fmt;
use std::fs::{self, File, TryLockError};
use std::io::{self, Read, Seek, Write};
use std::os::unix::fs::MetadataExt;
use std::path::Path;
use std::process;

use serde::{Deserialize, Serialize};

use crate::error::StoreError;
use crate::files::private_file;
use crate::store::Store;

pub(crate) const LOCK: &str = "lock";

/// Far more than the lock of any real command takes.
const LONGEST_OWNER: u64 = 1 << 20;

/// The right to write to a store, until it is dropped or its process ends.
///
/// [`Lock::begin_watch`] and [`Lock::begin_run`] start what is written.
#[derive(Debug)]
pub struct Lock {
    pub(crate) store: Store,
    _held: Held,
}

impl Lock {
    pub(crate) fn new(store: Store, held: Held) -> Self {
        Lock { store, _held: held }
    }
}

/// The locked file itself; closing it releases the lock.
#[derive(Debug)]
pub(crate) struct Held {
    _file: File,
}

/// Who holds a lock: what the lock file says.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Owner {
    pub pid: u32,
    pub command: String,
}

impl fmt::Display for Owner {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        const MOST: usize = 60;
        let mut shown: String = self.command.chars().take(MOST).collect();
        shown = shown.replace(char::is_control, "\u{fffd}");
        let cut = if self.command.chars().nth(MOST).is_some() { "…" } else { "" };
        write!(f, "pid {}, `{shown}{cut}`", self.pid)
    }
}

/// Locks the file `lock` in `directory`, or says who has done so.
pub(crate) fn acquire(directory: &Path, command: &str) -> Result<Held, StoreError> {
    let path = &directory.join(LOCK);
    loop {
        let mut file = private_file()
            .read(true)
            .write(true)
            .truncate(false)
            .open(path)
            .map_err(StoreError::io("open the lock", path))?;
        match file.try_lock() {
            Ok(()) => {}
            Err(TryLockError::WouldBlock) => {
                return Err(StoreError::Locked { owner: read_owner(file) });
            }
            Err(TryLockError::Error(error)) => return Err(StoreError::io("lock", path)(error)),
        }
        // Between the two calls the file may have been cleaned away, and another made in its place: a
        // lock on what has no name excludes nobody.
        if is_still(path, &file).map_err(StoreError::io("look at", path))? {
            match write_owner(&mut file, command) {
                // To say who we are is a courtesy. On a full disk, `clean` must work all the more.
                Err(error) if error.kind() == io::ErrorKind::StorageFull => {}
                written => written.map_err(StoreError::io("write", path))?,
            }
            return Ok(Held { _file: file });
        }
    }
}

fn is_still(path: &Path, file: &File) -> io::Result<bool> {
    let ours = file.metadata()?;
    match fs::metadata(path) {
        Ok(there) => Ok((there.dev(), there.ino()) == (ours.dev(), ours.ino())),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(false),
        Err(error) => Err(error),
    }
}

fn write_owner(file: &mut File, command: &str) -> io::Result<()> {
    let owner = Owner { pid: process::id(), command: command.to_owned() };
    file.set_len(0)?;
    file.rewind()?;
    file.write_all(&serde_json::to_vec(&owner)?)
}

/// None while the owner has only just come by the lock and not yet said who it is.
fn read_owner(file: File) -> Option<Owner> {
    serde_json::from_reader(file.take(LONGEST_OWNER)).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_long_command_is_cut_and_its_control_characters_are_not_printed() {
        let owner = Owner { pid: 7, command: format!("surefoot\u{1b}[2J {}", "x".repeat(100)) };
        let shown = owner.to_string();
        assert!(shown.starts_with("pid 7, `surefoot\u{fffd}[2J xxx"), "{shown}");
        assert!(shown.ends_with("x…`"), "{shown}");
    }
}
