//! What a pool tells its caller.

use surefoot_model::{Outcome, RunOutcome};

/// Something that happened, told when it happened. `experiment` is the experiment's id.
///
/// What is told of one experiment comes in order: `ExperimentStarted`; a `RunFinished` for each run that
/// ended, in the order in which they ended; then either `ExperimentFinished` or `ExperimentInterrupted`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Progress {
    ExperimentStarted {
        experiment: u64,
    },
    RunFinished {
        experiment: u64,
        /// Which run of the experiment.
        index: usize,
        outcome: Box<RunOutcome>,
    },
    /// Holds a result for each run.
    ExperimentFinished(Outcome),
    /// The user stopped it. Holds only the runs that ended before.
    ExperimentInterrupted(Outcome),
    /// Something in a runtime or in Surefoot itself did not work, in words for the user.
    Trouble {
        experiment: u64,
        what: String,
    },
}
