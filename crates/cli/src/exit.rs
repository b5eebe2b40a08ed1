//! Exit statuses: part of the interface, so all in one place.

use std::process::ExitCode;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Exit {
    /// 0: the job is done and nothing was found.
    NothingFound,
    /// 1: the job is done; there are findings, results that differ, or the user's own command failed.
    Found,
    /// 2: the job could not be done, and the message says why.
    CouldNot,
}

impl From<Exit> for ExitCode {
    fn from(exit: Exit) -> ExitCode {
        ExitCode::from(match exit {
            Exit::NothingFound => 0,
            Exit::Found => 1,
            Exit::CouldNot => 2,
        })
    }
}
