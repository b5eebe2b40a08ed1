//! What a whole `surefoot check` came to, in numbers.

use std::time::Duration;

use crate::StatusCounts;

/// Filled by the caller. How many findings there are of each kind is counted from the findings.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Totals {
    /// Tests seen in the watched run.
    pub tests: usize,
    /// How they ended there; a test that ran several times counts several times.
    pub results: StatusCounts,
    /// Test VMs of the watched run.
    pub vms: usize,
    /// Tests run again by Surefoot.
    pub replayed: usize,
    /// Those of them that do not pass again as they did when watched.
    pub not_replayable: usize,
    pub elapsed: Duration,
}
