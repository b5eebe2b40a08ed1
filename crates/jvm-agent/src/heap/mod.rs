//! The shared state of the program under test, as the heap shows it.
//!
//! A walk follows references from the roots and writes down what it meets as a [`snapshot::Snapshot`]: numbers only. There
//! are two ways to walk, [`visit`] for little state and [`follow`] for much. Two snapshots with the same numbers are one state,
//! which is the usual case and all that is done then. Where they differ, the part that [`focus`] finds is made a
//! [`picture`] of each, a graph with names, and the state library says what is different. [`camera`] takes snapshots,
//! [`again`] from what has changed since the last one if it can, [`judgement`] compares, and [`observer`] decides when.

mod again;
pub(crate) mod camera;
pub(crate) mod classes;
mod comparison;
mod dump;
mod fields;
mod focus;
mod follow;
mod freeze;
mod global;
pub(crate) mod include;
mod judgement;
mod keep;
mod links;
mod memory;
mod notes;
pub(crate) mod observer;
pub(crate) mod origin;
mod pace;
mod picture;
mod providers;
mod recall;
mod renewal;
pub(crate) mod roots;
mod shutdown;
mod snapshot;
mod things;
mod threads;
mod treatment;
mod undo;
mod version;
mod visit;

pub(crate) use fields::FieldId;
pub(crate) use roots::holds_settings;
pub(crate) use snapshot::Primitive;
