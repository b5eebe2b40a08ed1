//! The JVM seen from outside.
//!
//! [`AgentFile`] puts the agent that this crate carries on disk; [`inject`] makes every VM that a command starts load it;
//! [`watched`] reads what those VMs recorded; [`JvmRuntime`] starts workers from a recorded launch.
//!
//! It knows no technique: it neither decides what to run nor what a result means. Start reading at [`inject`], then
//! [`watched`], then [`JvmRuntime`].

mod agent_file;
mod argument_file;
mod command_line;
mod identity;
pub mod inject;
mod launch;
mod output;
mod process;
mod runs;
mod runtime;
mod tests;
pub mod watched;
mod worker;

pub use agent_file::{AgentFile, AgentFileError};
pub use runtime::JvmRuntime;
