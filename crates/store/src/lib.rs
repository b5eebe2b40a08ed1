//! The `.surefoot` directory in the user's project: everything that Surefoot remembers.
//!
//! This crate knows where records lie, how they survive a kill at any byte, who may read them and that
//! two Surefoots do not write at once. It does not know what the records mean: no VM, no technique, no
//! terminal. It writes the records of experiments; those of test VMs are written by the agents inside
//! them, and only read back here. docs/store.md describes the files.
//!
//! Start reading at [`Store`]; what it takes to write is a [`Lock`]. The promise about kills is kept in
//! `jsonl.rs`.

mod clean;
mod damage;
mod error;
mod files;
mod jsonl;
mod lock;
mod numbered;
mod run;
mod store;
mod watch;

pub use clean::{Cleaned, clean};
pub use damage::Damage;
pub use error::StoreError;
pub use lock::{Lock, Owner};
pub use numbered::KEPT;
pub use run::{Record, RecordedRun, RunEnd, RunHeader, RunLog, StoredRun};
pub use store::{DIRECTORY, FORMAT, Store};
pub use watch::{CommandEnd, StoredWatch, VmRecord, WatchDir, WatchEnd, WatchHeader};
