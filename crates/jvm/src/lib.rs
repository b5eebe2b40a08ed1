//! The JVM seen from outside.
//!
//! [`AgentFile`] puts the agent that this crate carries on disk; [`inject`] makes every VM that a command starts load it;
//! [`Jvm`] says what those VMs told of themselves; [`JvmRuntime`] starts workers from a recorded launch. What all VMs have in
//! common is in the crate `runtime`.
//!
//! It knows no technique: it neither decides what to run nor what a result means. Start reading at [`inject`], then
//! `launch.rs`, then [`JvmRuntime`].

mod agent_file;
mod argument_file;
mod arguments;
mod command_line;
mod declaring;
mod identity;
mod identity_hash;
mod initialisers;
pub mod inject;
mod launch;
mod on_demand;
mod program;
mod readers;
mod resetters;
mod runtime;
mod tests;

pub use agent_file::AgentFile;
pub use identity_hash::with_identity_hash;
pub use initialisers::set_by_initialisers;
pub use launch::Jvm;
pub use on_demand::Fields;
pub use readers::{Reader, reader};
pub use resetters::resetter;
pub use runtime::JvmRuntime;
