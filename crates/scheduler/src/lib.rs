//! Runs experiments on a pool of workers.
//!
//! Experiments go in, one outcome for each comes out, and every run has exactly one result: what the
//! test VM reported, or that it died, hung or could not be started. What happens is told as it
//! happens, so that a caller can keep each result at once.
//!
//! This crate knows no technique (why an experiment is run, what its outcome means), no language (what
//! a test VM is; see [`Runtime`] and [`Worker`]) and no screen.
//!
//! Start reading at [`Pool::run`], the main loop. `slot.rs` takes one experiment through as many VMs as
//! it needs; `conduct.rs` decides, from the reports of those VMs alone, what each run's result is.

mod clean;
mod conduct;
mod panics;
mod pool;
mod progress;
#[cfg(test)]
mod scripted;
mod slot;
mod starter;
mod stop;
mod worker;

pub use conduct::{END_ALLOWANCE, START_ALLOWANCE};
pub use pool::{Outcomes, Pool};
pub use progress::Progress;
pub use stop::Stop;
pub use worker::{Report, Runtime, StartError, Worker};
