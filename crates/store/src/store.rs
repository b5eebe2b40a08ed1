//! The directory as a whole: made, opened, its format checked.

use std::fs::{self, File};
use std::io::{self, ErrorKind, Read};
use std::path::{Path, PathBuf};

use crate::error::StoreError;
use crate::files::{self, UNFINISHED};
use crate::lock::{self, LOCK, Lock};
use crate::numbered;
use crate::run::StoredRun;
use crate::watch::StoredWatch;

/// The store's name in the project's directory.
pub const DIRECTORY: &str = ".surefoot";

/// Version of the layout and of the records.
pub const FORMAT: u32 = 1;

pub(crate) const VERSION: &str = "version";
pub(crate) const IGNORE: &str = ".gitignore";
const WATCHES: &str = "watches";
const RUNS: &str = "runs";
const FOUND: &str = "found";

/// The records of one project, for reading; [`Store::lock`] gives the right to write.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Store {
    path: PathBuf,
}

impl Store {
    /// Opens the project's store and makes it if need be.
    pub fn open(project: &Path) -> Result<Store, StoreError> {
        if !project.is_dir() {
            return Err(StoreError::NoProject { path: project.to_owned() });
        }
        let store = Store { path: locate(project)? };
        store.make()?;
        Ok(store)
    }

    /// Opens the project's store if there is one, and writes nothing.
    pub fn open_existing(project: &Path) -> Result<Store, StoreError> {
        let store = Store { path: locate(project)? };
        match read_format(&store.path)? {
            Some(_) => Ok(store),
            None => Err(StoreError::NoStore { path: store.path }),
        }
    }

    /// The `.surefoot` directory, absolute.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Makes this process the only one that writes. `command` is what another one is told.
    pub fn lock(&self, command: &str) -> Result<Lock, StoreError> {
        let held = unless_cleaned_meanwhile(|| {
            self.make()?;
            lock::acquire(&self.path, command)
        })?;
        // What was there before the lock may have been cleaned away before the lock, too.
        self.make()?;
        Ok(Lock::new(self.clone(), held))
    }

    /// The newest watched run, finished or not.
    pub fn latest_watch(&self) -> Result<Option<StoredWatch>, StoreError> {
        let watches = self.watches();
        numbered::latest(&watches)?.map(|number| StoredWatch::read(&watches, number)).transpose()
    }

    /// The newest run of experiments, finished or not.
    pub fn latest_run(&self) -> Result<Option<StoredRun>, StoreError> {
        let runs = self.runs();
        numbered::latest(&runs)?.map(|number| StoredRun::read(&runs, number)).transpose()
    }

    /// All runs of experiments that are kept, the newest first. Each is read when its turn comes.
    pub fn runs_backwards(
        &self,
    ) -> Result<impl Iterator<Item = Result<StoredRun, StoreError>>, StoreError> {
        let runs = self.runs();
        let numbers = numbered::numbers(&runs)?;
        Ok(numbers.into_iter().rev().map(move |number| StoredRun::read(&runs, number)))
    }

    pub(crate) fn watches(&self) -> PathBuf {
        self.path.join(WATCHES)
    }

    pub(crate) fn found(&self) -> PathBuf {
        self.path.join(FOUND)
    }

    pub(crate) fn runs(&self) -> PathBuf {
        self.path.join(RUNS)
    }

    /// Makes what is missing. Any number of processes may do so at once.
    fn make(&self) -> Result<(), StoreError> {
        unless_cleaned_meanwhile(|| {
            files::ensure_directory(&self.path)?;
            files::keep_private(&self.path)?;
            if read_format(&self.path)?.is_none() {
                refuse_foreign(&self.path)?;
                files::write_whole(&self.path.join(VERSION), format!("{FORMAT}\n").as_bytes())?;
            }
            let ignore = self.path.join(IGNORE);
            if !ignore.exists() {
                files::write_whole(&ignore, b"*\n")?;
            }
            files::ensure_directory(&self.watches())?;
            files::ensure_directory(&self.runs())
        })
    }
}

/// Absolute, because test VMs that are told the path have directories of their own.
pub(crate) fn locate(project: &Path) -> Result<PathBuf, StoreError> {
    let path = std::path::absolute(project).map_err(StoreError::io("find", project))?;
    Ok(path.join(DIRECTORY))
}

/// Tries again where another process' `clean` took away what this one had just made.
fn unless_cleaned_meanwhile<T>(
    mut attempt: impl FnMut() -> Result<T, StoreError>,
) -> Result<T, StoreError> {
    const ATTEMPTS: u32 = 20;
    for _ in 1..ATTEMPTS {
        match attempt() {
            Err(error) if error.is_not_found() => {}
            done => return done,
        }
    }
    attempt()
}

/// The format of a store; none where there is no store yet.
fn read_format(path: &Path) -> Result<Option<u32>, StoreError> {
    let file = &path.join(VERSION);
    let mut text = Vec::new();
    match File::open(file).and_then(|file| file.take(64).read_to_end(&mut text)) {
        Ok(_) => {}
        Err(error) if error.kind() == ErrorKind::NotFound => return Ok(None),
        Err(error) => return Err(StoreError::io("read", file)(error)),
    }
    let number = str::from_utf8(&text).ok().and_then(|text| text.trim_end().parse().ok());
    match number {
        Some(FORMAT) => Ok(Some(FORMAT)),
        Some(found) if found > FORMAT => Err(StoreError::Newer { path: path.to_owned(), found }),
        _ => Err(StoreError::Damaged { path: file.to_owned(), what: "it does not hold a format" }),
    }
}

/// A directory without a format is ours only if it holds nothing but what we make.
pub(crate) fn refuse_foreign(path: &Path) -> Result<(), StoreError> {
    let stranger = || -> io::Result<Option<String>> {
        for entry in fs::read_dir(path)? {
            let name = entry?.file_name().to_string_lossy().into_owned();
            let ours = [VERSION, LOCK, IGNORE, WATCHES, RUNS, FOUND].contains(&name.as_str());
            if !ours && !name.ends_with(UNFINISHED) {
                return Ok(Some(name));
            }
        }
        Ok(None)
    };
    match stranger().map_err(StoreError::io("read", path))? {
        Some(entry) if !path.join(VERSION).exists() => {
            Err(StoreError::Foreign { path: path.to_owned(), entry })
        }
        _ => Ok(()),
    }
}
