//! Which experiments to run, and what their outcomes mean.
//!
//! Everything here is pure: a [`Watch`](surefoot_model::Watch) and outcomes in, experiments and findings out. It knows no VM,
//! no IO and no clock, and is tested with values.
//!
//! Start reading at [`Strategy`], the shape of every technique; [`Replay`] is the simplest one. [`Plan`] and [`select`] serve
//! `surefoot run`.

mod assumptions;
mod comparison;
mod flaky;
mod parts;
mod plan;
mod pollution;
mod replay;
mod rerun;
#[cfg(test)]
mod samples;
mod selection;
mod shell;
mod strategy;

pub use assumptions::{Assumptions, Seeds, told_choices};
pub use comparison::compare;
pub use plan::{FreshVm, Limits, Order, Plan};
pub use pollution::{Code, Pollution, Rules, RulesError, Scope};
pub use replay::Replay;
pub use rerun::{Mode, Rerun, RerunSettings};
pub use selection::{UnknownTest, select};
pub use shell::words;
pub use strategy::Strategy;
