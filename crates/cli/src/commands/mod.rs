//! One file for each command.

pub(crate) mod assumptions;
pub(crate) mod check;
pub(crate) mod clean;
pub(crate) mod completions;
pub(crate) mod dump_state;
pub(crate) mod explain;
pub(crate) mod pollution;
pub(crate) mod reproduce;
pub(crate) mod rerun;
pub(crate) mod run;
pub(crate) mod tests;
pub(crate) mod watch;
