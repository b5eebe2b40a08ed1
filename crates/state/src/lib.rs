//! Two captured states of a program: are they the same, and if not, what differs?
//!
//! A [`Graph`] is a state: objects, what they hold and how they refer to each other, from named roots (PolDet, definition 1).
//! [`Rules`] make an abstract one of it, without what no test can see. [`isomorphic`] compares two by what their common roots
//! reach; [`differences`] tells what differs, as access paths. [`canonical`] and [`triples`] are a state as numbers and as
//! text (PolDet@JPF).
//!
//! This crate knows no VM and does no IO. It runs inside other people's processes: it recurses nowhere, panics at no input,
//! and bounds its work. Object identity never decides whether states are the same. Start reading at [`graph`](Graph), then
//! `pairing.rs`.

mod abstraction;
mod alignment;
mod builder;
mod canonical;
mod differences;
mod graph;
mod group;
mod hash;
mod isomorphism;
mod links;
mod names;
mod pairing;
mod path;
mod refinement;
mod restriction;
#[cfg(test)]
mod samples;
mod texts;
mod triples;
mod value;

pub use abstraction::{RingEnd, Rule, Rules, Shape};
pub use builder::{BuildError, GraphBuilder};
pub use canonical::canonical;
pub use differences::{Change, Difference, Differences, Seen, differences};
pub use graph::{Digest, Edge, EdgeLabel, Graph, Node, NodeId, Target};
pub use isomorphism::{Verdict, isomorphic};
pub use names::{Label, Names};
pub use path::{Path, Step};
pub use texts::{TextId, Texts};
pub use triples::{Triple, triples};
pub use value::{Value, Words};
