//! The agent and the workers with real VMs: every JDK, every framework.
//!
//! The JDKs come from PyPI and the frameworks from Maven Central, both once; see scripts/. A test fails when something is
//! missing. The classes that the VMs run are in tests/fixtures.

mod boot;
mod choices;
mod conformance;
mod cost;
mod frameworks;
mod guest;
mod matrix;
mod on_demand;
mod support;
