//! Surefoot inside the user's Python process: the extension module `surefoot_pytest._state`.
//!
//! The pytest plug-in of `crates/python` tells when tests start and end; this module captures the state that they share, natively
//! and without running a line of the user's code, and tells what changed in between.
//!
//! It is a guest. Nothing here prints, aborts or unwinds into Python; what fails is an exception that the plug-in tells as trouble,
//! and the tests go on. It knows no technique and keeps no opinion of what it sees.
//!
//! In a worker it also lets tests see orders that are other than usual; start reading that in [`choices`].
//!
//! Start reading at [`observer`]: when the state is looked at. Then `capture.rs` and `outline.rs` (from where), `walk.rs` (how), `kinds.rs` (what
//! stands for what), `part.rs` and `snapshot.rs` (what is kept), `last.rs` (what need not be walked again) and `comparison.rs` (what differs). `api.rs` and `layout.rs` read Python's objects.

mod api;
mod capture;
mod choices;
mod comparison;
mod entry;
mod fork;
mod forms;
mod kinds;
mod known;
mod labels;
mod last;
mod layout;
mod libraries;
mod mark;
mod marks;
mod observer;
mod outline;
mod own_names;
mod pandas;
mod part;
mod patches;
mod places;
mod project;
mod raw;
mod reached;
mod settings;
mod snapshot;
mod walk;
