//! What changed in directories since the last look: files made, removed, with other content, another mode, another target.
//!
//! The first look reads everything; from then on the system tells which paths were touched ([`watch`], inotify), and only
//! these are read again. Where it cannot tell, everything is gone through, and only what has another time stamp is read. A file
//! that was written with the bytes that it had is told apart from one that changed, and from one that nobody touched.
//!
//! Knows no VM, no test and no technique: a runtime asks around its tests. [`entry`], [`ignore`] and [`changes`] are pure,
//! [`scan`], [`watch`] and [`others`] are the edges. Start reading at [`Files::look`].

mod changes;
mod entry;
mod files;
mod found;
mod ignore;
mod others;
mod scan;
mod watch;

pub use files::{Files, Surroundings};
pub use found::{Found, Kept, Size};
pub use ignore::Ignore;
