//! What can go wrong with the store, each with the user's next step in it.

use std::io::{self, ErrorKind};
use std::path::{Path, PathBuf};

use thiserror::Error;

use crate::lock::Owner;
use crate::store::FORMAT;

/// The texts are complete: a caller prints them and adds nothing.
#[derive(Debug, Error)]
pub enum StoreError {
    #[error("there is no directory {path}; give the directory of the project to test")]
    NoProject { path: PathBuf },

    #[error(
        "nothing is recorded for this project yet: {path} does not exist; \
         run `surefoot watch -- <your test command>` first"
    )]
    NoStore { path: PathBuf },

    #[error(
        "{path} is not a directory, but Surefoot keeps its records there; \
         move it away and try again"
    )]
    NotADirectory { path: PathBuf },

    /// Neither written to nor cleaned, so that nobody's own files are lost.
    #[error(
        "{path} was not made by Surefoot: it has no file `version`, but holds `{entry}`; \
         move it away and try again"
    )]
    Foreign { path: PathBuf, entry: String },

    #[error(
        "{path} was written by a newer Surefoot (format {found}; this one knows {FORMAT}); \
         use that one, or run `surefoot clean` to start afresh"
    )]
    Newer { path: PathBuf, found: u32 },

    #[error("{path} is damaged: {what}; run `surefoot clean` to start afresh")]
    Damaged { path: PathBuf, what: &'static str },

    #[error("another surefoot{} is using this project; wait for it or stop it", whose(.owner))]
    Locked { owner: Option<Owner> },

    // The cause is part of the text, so it is not given as the error's source a second time.
    #[error("cannot {what} {path}: {cause}; {}", advice(.cause.kind()))]
    Io { what: &'static str, path: PathBuf, cause: io::Error },
}

impl StoreError {
    /// For `map_err`: `what` completes "cannot ...".
    pub(crate) fn io(what: &'static str, path: &Path) -> impl FnOnce(io::Error) -> StoreError {
        move |cause| match cause.kind() {
            // Of a path with a file in its middle, the user has to move that file.
            ErrorKind::NotADirectory => StoreError::NotADirectory { path: file_on_the_way(path) },
            _ => StoreError::Io { what, path: path.to_owned(), cause },
        }
    }

    pub(crate) fn is_not_found(&self) -> bool {
        matches!(self, StoreError::Io { cause, .. } if cause.kind() == ErrorKind::NotFound)
    }
}

fn file_on_the_way(path: &Path) -> PathBuf {
    path.ancestors().find(|part| part.is_file()).unwrap_or(path).to_owned()
}

fn whose(owner: &Option<Owner>) -> String {
    owner.as_ref().map(|owner| format!(" ({owner})")).unwrap_or_default()
}

fn advice(kind: ErrorKind) -> &'static str {
    match kind {
        ErrorKind::ReadOnlyFilesystem => {
            "Surefoot keeps its records in the project: run it on a copy that can be written to"
        }
        ErrorKind::StorageFull | ErrorKind::QuotaExceeded => {
            "make room (`surefoot clean` removes all old records) and try again"
        }
        ErrorKind::PermissionDenied => {
            "run Surefoot as the owner of the project, or change the owner or the permissions"
        }
        _ => "see to it and try again",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn text(kind: ErrorKind) -> String {
        StoreError::io("write", Path::new("/p/.surefoot/version"))(kind.into()).to_string()
    }

    #[test]
    fn every_cause_that_users_meet_has_its_own_advice() {
        assert_eq!(
            text(ErrorKind::ReadOnlyFilesystem),
            "cannot write /p/.surefoot/version: read-only filesystem or storage medium; Surefoot \
             keeps its records in the project: run it on a copy that can be written to"
        );
        assert!(text(ErrorKind::StorageFull).contains("make room (`surefoot clean`"));
        assert!(text(ErrorKind::PermissionDenied).contains("run Surefoot as the owner"));
    }

    #[test]
    fn a_lock_without_a_known_owner_is_still_a_sentence() {
        assert_eq!(
            StoreError::Locked { owner: None }.to_string(),
            "another surefoot is using this project; wait for it or stop it"
        );
    }
}
