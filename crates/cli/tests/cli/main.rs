//! The command as its users meet it: real builds, real VMs, real trouble.
//!
//! Maven must be installed, and the network be there the first time. A test fails when something is missing. What the VMs
//! run is in testdata; see its README.

mod faults;
mod gradle;
mod kills;
mod kinds;
mod signals;
mod support;
mod surefire;
mod trouble;
mod words;
