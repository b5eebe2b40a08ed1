//! What is said to a parent, and what it says: a VM that has imported the tests and forks workers, which run them.
//!
//! One line of JSON each, on the parent's socket. A worker has a socket of its own, as any other.

use serde::{Deserialize, Serialize};

use crate::Death;

/// Only once the parent has said that it is warm. `worker` is a number for the worker, which whoever asks has made up.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "command", rename_all = "kebab-case")]
pub enum ParentCommand {
    /// With the line come two descriptors: the worker's end of its socket, and what it prints to.
    Fork { worker: u64 },
    /// Say how it ended, as soon as it has.
    Reap { worker: u64 },
    /// End it at once, with all that it started.
    Kill { worker: u64 },
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "event", rename_all = "kebab-case")]
pub enum ParentEvent {
    /// The tests are imported, and nothing speaks against forks. A parent that will not fork ends without it.
    Warm,
    Forked {
        worker: u64,
    },
    NotForked {
        worker: u64,
    },
    Reaped {
        worker: u64,
        death: Death,
    },
}
