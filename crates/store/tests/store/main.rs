//! The store as its callers see it, on real directories.

mod directory;
mod lock;
mod values;
