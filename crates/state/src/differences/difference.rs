//! One difference, and how it is told to people.

use std::fmt;

use crate::graph::{Graph, Target};
use crate::names::Label;
use crate::path::{Path, simple};
use crate::value::{Value, Words};

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Difference {
    /// To what differs. It is a path in the state before, but for what was added.
    pub path: Path,
    pub change: Change,
    pub before: Seen,
    pub after: Seen,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Change {
    /// Another value, or a value in place of an object, or the reverse.
    Value,
    /// An object of another class.
    Class,
    /// A field, an element, an entry or a member: the last step of the path says which.
    Added,
    Removed,
    /// A payload of the same length, such as the numbers of an array.
    Content,
    /// A payload, or an array, of another length.
    Length,
    /// The same members in another order.
    Order,
    /// Another object of the same class. The paths lead to the other places of the object that was, or is, there; none if
    /// it has no other.
    Sharing {
        before: Option<Path>,
        after: Option<Path>,
    },
}

/// What is to be seen at one end of a path.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Seen {
    Nothing,
    Value(Value),
    Object {
        class: Label,
        /// How many elements, entries or members, if it is a thing that has such.
        size: Option<u64>,
    },
}

impl Seen {
    pub(crate) fn at(graph: &Graph, target: Target) -> Seen {
        let node = match target {
            Target::Value(value) => return Seen::Value(value),
            Target::Node(node) => node.0,
        };
        let elements = graph.slice(graph.range(node)).iter().filter(|edge| {
            edge.is_key() || edge.is_unordered() || edge.label_kind() == crate::graph::INDEX
        });
        let size = match graph.content(node) {
            Some(content) => Some(content.length),
            None => Some(elements.count() as u64).filter(|&count| count > 0),
        };
        Seen::Object { class: graph.record(node).class, size }
    }

    pub fn shown<'a>(self, words: Words<'a>) -> impl fmt::Display + use<'a> {
        ShownSeen { seen: self, words }
    }
}

struct ShownSeen<'a> {
    seen: Seen,
    words: Words<'a>,
}

impl fmt::Display for ShownSeen<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.seen {
            Seen::Nothing => f.write_str("nothing"),
            Seen::Value(value) => write!(f, "{}", value.shown(self.words)),
            Seen::Object { class, size } => {
                f.write_str(simple(self.words.names.text(class)))?;
                size.map_or(Ok(()), |size| write!(f, " of {size}"))
            }
        }
    }
}

impl Difference {
    /// One line.
    pub fn shown<'a>(&'a self, words: Words<'a>) -> impl fmt::Display + use<'a> {
        ShownDifference { difference: self, words }
    }
}

struct ShownDifference<'a> {
    difference: &'a Difference,
    words: Words<'a>,
}

impl fmt::Display for ShownDifference<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Difference { path, change, before, after } = self.difference;
        let words = self.words;
        write!(f, "{}: ", path.shown(words))?;
        match change {
            Change::Value | Change::Class | Change::Length => {
                write!(f, "{} -> {}", before.shown(words), after.shown(words))
            }
            Change::Added if *after == Seen::Value(Value::Present) => f.write_str("added"),
            Change::Added => write!(f, "added {}", after.shown(words)),
            Change::Removed if *before == Seen::Value(Value::Present) => f.write_str("removed"),
            Change::Removed => write!(f, "removed {}", before.shown(words)),
            Change::Content => write!(f, "content of {} changed", before.shown(words)),
            Change::Order => f.write_str("order changed"),
            Change::Sharing { before, after } => match (before, after) {
                (Some(was), Some(is)) => {
                    let (was, is) = (was.shown(words), is.shown(words));
                    write!(f, "was the same object as {was}, now the same as {is}")
                }
                (Some(was), None) => {
                    write!(f, "was the same object as {}, now another one", was.shown(words))
                }
                (None, Some(is)) => {
                    write!(f, "was another object, now the same as {}", is.shown(words))
                }
                (None, None) => f.write_str("another object"),
            },
        }
    }
}
