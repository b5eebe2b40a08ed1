//! A test's results in workers beside its result in the watched run.

use serde::Serialize;

use crate::{RunOutcome, RunResult, TestId};

/// One test, watched and run again.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Comparison<'a> {
    pub test: &'a TestId,
    /// None if the watched run shows no result, because its VM died say.
    pub watched: Option<&'a RunResult>,
    /// All of its runs, in any number of VMs.
    pub runs: Vec<&'a RunOutcome>,
    pub standing: Standing,
}

/// What the difference means, worst first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Standing {
    /// Passed when watched and never since: nothing that workers say about it can be trusted.
    NotReplayable,
    /// Ended in another way at least once.
    Differs,
    AsWatched,
}
