//! What the scheduler asks of a test VM. Each language's runtime implements these two traits.

use std::time::Duration;

use surefoot_model::{
    ClassChange, Death, LaunchId, RunChange, RunChoices, RunResult, Settings, Start, TestId,
};
use thiserror::Error;

/// Starts workers for launches that it knows.
pub trait Runtime: Sync {
    /// Returns at once; the process warms up by itself. A runtime that does not fork starts every VM plainly.
    fn start(&self, launch: &LaunchId, start: Start) -> Result<Box<dyn Worker>, StartError>;
}

/// A test VM that waits for tests to run. Dropping it ends its process, whatever state it is in.
pub trait Worker: Send {
    /// Hands over tests to run in this order. Once between two [`Report::Done`]s.
    fn submit(&mut self, tests: &[TestId], settings: &Settings);

    /// The next thing that happened, or [`Report::Quiet`] once `patience` has passed without any.
    fn next(&mut self, patience: Duration) -> Report;

    /// Ends the process at once; its remaining reports are dropped.
    fn kill(&mut self);

    /// The end of what the process printed, both streams.
    fn output(&self) -> String;
}

/// What a worker says. `run` is the index in the list that was submitted.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Report {
    Started {
        run: usize,
    },
    Finished {
        run: usize,
        result: RunResult,
        duration: Duration,
        change: Option<RunChange>,
        choices: Option<Box<RunChoices>>,
    },
    /// A class has run, with its class-level set-up and tear-down.
    ClassChanged(ClassChange),
    /// Everything submitted was handled. Runs without a `Finished` were not run, for this reason.
    Done {
        not_run: String,
    },
    /// Something in the runtime itself did not work.
    Trouble {
        what: String,
    },
    /// The process is gone.
    Gone {
        death: Death,
    },
    /// There is no VM, as it cannot be forked. Only from one that was to be.
    NotForked,
    /// Nothing happened for as long as the caller wanted to wait.
    Quiet,
}

/// Why no worker could be started, with what to do about it.
#[derive(Debug, Clone, Error)]
#[error("cannot start a test VM: {what}")]
pub struct StartError {
    pub what: String,
}
