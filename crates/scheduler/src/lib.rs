//! Runs experiments on a pool of workers.

mod worker;

pub use worker::{Report, Runtime, StartError, Worker};
