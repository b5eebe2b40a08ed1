//! Lines of a record that could not be read.

use std::fmt;

use serde::Serialize;

/// Consecutive lines that were skipped for one reason.
///
/// It never quotes the lines: a test VM's record holds its environment, with the secrets in it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Damage {
    /// Below the directory of the watched run or of the experiments: `vms/123-0.jsonl`.
    pub file: String,
    /// Counted from 1.
    pub first_line: u64,
    pub last_line: u64,
    pub why: &'static str,
}

impl fmt::Display for Damage {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Damage { file, first_line, last_line, why } = self;
        if first_line == last_line {
            write!(f, "{file} line {first_line} is damaged: skipped ({why})")
        } else {
            write!(f, "{file} lines {first_line} to {last_line} are damaged: skipped ({why})")
        }
    }
}
