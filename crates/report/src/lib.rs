//! Findings and outcomes as text for people and as JSON for machines.
//!
//! Each function takes plain values and returns a `String`. Nothing here does IO, knows a terminal beyond
//! [`Terminal`], or decides what is a finding, what is not replayable or what is worth showing: that comes
//! in as a value. And no report shows an environment, a command line of a VM or what a VM printed: there
//! are secrets in them.
//!
//! Start reading at [`summary()`], what every `surefoot check` ends with. Each output is a file; what they
//! share is in `text.rs` (names and messages of any kind made fit to print) and `table.rs`.

mod comparison;
mod counts;
mod details;
mod json;
mod remarks;
mod reproduction;
mod state;
mod suggestions;
mod summary;
mod suppressed;
mod table;
mod terminal;
mod tests;
mod text;
mod totals;

pub use comparison::{comparison, comparison_json, differing};
pub use counts::StatusCounts;
pub use details::details;
pub use json::findings_json;
pub use remarks::remarks;
pub use reproduction::reproduction;
pub use state::state_changes;
pub use suggestions::suggested_rules;
pub use summary::summary;
pub use suppressed::suppressed;
pub use terminal::Terminal;
pub use tests::{TestRow, test_rows, tests_json, tests_table};
pub use totals::Totals;

/// Version of all JSON that this crate makes.
pub const JSON_VERSION: u32 = 1;

#[cfg(test)]
mod samples;
