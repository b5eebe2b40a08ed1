//! The shape of every technique.

use surefoot_model::{Experiment, Finding, Outcome};

/// Proposes experiments, reads their outcomes, and goes on until it has nothing more to ask.
pub trait Strategy {
    /// What it does, in a word or two, for the progress line.
    fn name(&self) -> &'static str;

    /// The next experiments; none when it is done.
    fn propose(&mut self) -> Vec<Experiment>;

    /// The outcomes of all that was proposed last. If the user stopped, some are missing and `propose` is not called again.
    fn observe(&mut self, outcomes: Vec<Outcome>);

    /// What has been found so far, each seen in fresh VMs.
    fn findings(&self) -> Vec<Finding>;
}
