//! Python seen from outside.
//!
//! [`PluginFolder`] puts the pytest plug-in that this crate carries on disk; [`inject`] makes every pytest that a command starts
//! load it; [`Python`] says what those processes told of themselves; [`PythonRuntime`] starts workers from a recorded launch;
//! [`Attributes`] tells what the project's code does with its attributes.
//! What all VMs have in common is in the crate `runtime`; the plug-in itself is in `plugin/surefoot_pytest`.
//!
//! It knows no technique: it neither decides what to run nor what a result means. Start reading at [`inject`], then
//! `plugin/surefoot_pytest/watch.py`, then [`PythonRuntime`] and `worker.py`.

pub mod inject;
mod launch;
mod on_demand;
mod parents;
mod plugin_folder;
mod runtime;
mod tests;

pub use launch::Python;
pub use on_demand::Attributes;
pub use plugin_folder::PluginFolder;
pub use runtime::PythonRuntime;
