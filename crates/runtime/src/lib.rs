//! What all test VMs have in common, seen from outside.
//!
//! A VM that is watched leaves a record of events, and [`watch`] makes a [`Watch`](surefoot_model::Watch) of the records; a
//! worker is a [`Process`] that takes commands and tells events through a socket, and [`VmWorker`] makes of it what the
//! scheduler needs; a [`Parent`] forks such processes, and watched ones may have [left it behind](LeftBehind); [`unpack`] puts what a language's crate carries on disk, for VMs to load.
//!
//! What differs from language to language is in [`Language`] and [`Tests`], which the crates `jvm` and `python` implement.
//! This crate knows no technique. Start reading at [`watch`], then [`VmWorker`].

mod cache;
mod left_behind;
mod life;
mod output;
mod parent;
mod process;
mod runs;
mod watched;
mod worker;

pub use cache::{UnpackError, cache_folder, unpack};
pub use left_behind::LeftBehind;
pub use parent::Parent;
pub use process::Process;
pub use watched::{Language, watch};
pub use worker::{Tests, VmWorker};
