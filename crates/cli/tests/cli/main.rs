//! The command as its users meet it: real builds, real VMs, real trouble.
//!
//! Maven and Gradle must be installed, the tests must be root to fill disks, and the network must be there the first time. A
//! test fails when something is missing. What the VMs run is in testdata; see its README.

#![allow(clippy::unwrap_used, reason = "helpers of tests, too, fail with a panic")]

mod assumptions;
mod capture;
mod faults;
mod gradle;
mod kills;
mod kinds;
mod pollution;
mod pytest;
mod pytest_assumptions;
mod pytest_django;
mod pytest_forks;
mod pytest_guest;
mod pytest_left_behind;
mod pytest_pollution;
mod pytest_rerun;
mod reproduce;
mod rerun;
mod signals;
mod support;
mod surefire;
mod trouble;
mod wheel;
mod words;
