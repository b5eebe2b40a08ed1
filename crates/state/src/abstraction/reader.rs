//! Reads one object of a raw graph as its rule sees it.

use crate::abstraction::{Rule, Rules, Shape};
use crate::graph::{EdgeLabel, Graph, INDEX, Target};
use crate::links::of_kind;
use crate::names::Label;
use crate::value::Value;

/// A map in a set in a view: more than this is no JDK's doing.
const DEEPEST_DELEGATE: usize = 8;

/// Null elements that captures may leave out, in all lists together.
const NULLS: u64 = 1_000_000;

/// The end of an abstract edge.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Found {
    /// In the raw graph.
    Target(Target),
    /// By its place in [`Reader::entries`].
    Entry(usize),
}

/// A map's entry whose key is an object.
#[derive(Debug, Clone, Copy)]
pub(super) struct Entry {
    pub(super) key: Target,
    pub(super) value: Target,
    /// Of the VM's own entry object, if it has one.
    pub(super) identity: u64,
}

pub(super) struct Reader<'g> {
    pub(super) raw: &'g Graph,
    rules: &'g Rules,
    /// Of the object that was read last, in any order.
    pub(super) edges: Vec<(EdgeLabel, Found)>,
    pub(super) entries: Vec<Entry>,
    /// Only keys are wanted.
    keys_only: bool,
    /// How many nodes and edges may still be looked at. Sane collections do not share their insides, so all of them together
    /// need less than the whole graph; this stops what is no sane collection.
    steps: u64,
    nulls: u64,
}

impl<'g> Reader<'g> {
    pub(super) fn new(raw: &'g Graph, rules: &'g Rules) -> Self {
        let steps = 4 * (raw.len() + raw.edges.len()) as u64;
        let (edges, entries) = (Vec::new(), Vec::new());
        Reader { raw, rules, edges, entries, keys_only: false, steps, nulls: NULLS }
    }

    /// False if the object has no rule or not the shape that it expects.
    pub(super) fn read(&mut self, node: u32) -> bool {
        self.edges.clear();
        self.entries.clear();
        self.keys_only = false;
        let Some(mut rule) = self.rules.of(self.raw.record(node).class) else {
            return false;
        };
        let mut holder = node;
        for _ in 0..DEEPEST_DELEGATE {
            self.other_fields(holder, rule);
            let inner = match rule.shape {
                Shape::Delegate { to } => to,
                Shape::Set { map } => {
                    self.keys_only = true;
                    map
                }
                shape => return self.read_shape(holder, shape).is_some(),
            };
            let Some(Target::Node(next)) = self.raw.field(holder, inner) else {
                return false;
            };
            holder = next.0;
            match self.rules.of(self.raw.record(holder).class) {
                Some(inner) if inner.shape != Shape::Plain => rule = inner,
                _ => return false,
            }
        }
        false
    }

    /// None if the object does not have this shape.
    fn read_shape(&mut self, node: u32, shape: Shape<Label>) -> Option<()> {
        match shape {
            Shape::Plain => Some(()),
            Shape::WorksIn { other, settings } => self.read_settings(node, other, &settings),
            Shape::Sequence { .. }
            | Shape::Ring { .. }
            | Shape::Chain { .. }
            | Shape::Bag { .. } => self.read_list(node, shape),
            _ => self.read_map(node, shape),
        }
    }

    fn read_settings(&mut self, node: u32, other: Label, settings: &[Label]) -> Option<()> {
        if let Some(other) = self.reference(node, other)? {
            for &name in settings {
                let found = self.raw.field(other, name).map(Found::Target);
                self.edges.extend(found.map(|found| (EdgeLabel::Field(name), found)));
            }
        }
        Some(())
    }

    /// Those that are state beside the collection.
    fn other_fields(&mut self, node: u32, rule: &Rule) {
        let own = rule.shape.own_fields();
        for edge in self.raw.slice(self.raw.range(node)) {
            let hidden = match edge.label() {
                EdgeLabel::Field(name) => own.contains(&Some(name)) || rule.dropped.contains(&name),
                _ => false,
            };
            if !hidden {
                self.edges.push((edge.label(), Found::Target(edge.target())));
            }
        }
    }

    pub(super) fn step(&mut self, count: u64) -> Option<()> {
        self.steps = self.steps.checked_sub(count)?;
        Some(())
    }

    /// Not more nulls than a capture may have left out, whatever a broken size says.
    pub(super) fn fill(&mut self, nulls: u64) -> Option<()> {
        self.nulls = self.nulls.checked_sub(nulls)?;
        Some(())
    }

    pub(super) fn element(&mut self, at: usize, target: Target) {
        self.edges.push((EdgeLabel::Index(at as u32), Found::Target(target)));
    }

    /// By its value, or as one of many.
    pub(super) fn member(&mut self, member: Target) -> Found {
        match member {
            Target::Value(value) => {
                let present = Found::Target(Value::Present.into());
                self.edges.push((EdgeLabel::Key(value), present));
            }
            Target::Node(_) => {
                self.edges.push((EdgeLabel::Unordered(Label::MEMBER), Found::Target(member)));
            }
        }
        Found::Target(member)
    }

    /// By its key if that is a value, else as one of many. Returns what stands for it in an order.
    pub(super) fn entry(&mut self, entry: Entry) -> Found {
        if self.keys_only {
            return self.member(entry.key);
        }
        match entry.key {
            Target::Value(key) => {
                self.edges.push((EdgeLabel::Key(key), Found::Target(entry.value)));
                Found::Target(entry.key)
            }
            Target::Node(_) => {
                let found = Found::Entry(self.entries.len());
                self.entries.push(entry);
                self.edges.push((EdgeLabel::Unordered(Label::ENTRY), found));
                found
            }
        }
    }

    /// A reference that may be absent or null; the outer none is something that is no reference.
    pub(super) fn reference(&self, node: u32, field: Label) -> Option<Option<u32>> {
        match self.raw.field(node, field) {
            Some(Target::Node(node)) => Some(Some(node.0)),
            None | Some(Target::Value(Value::Null)) => Some(None),
            Some(Target::Value(_)) => None,
        }
    }

    /// Captures may leave out fields that are null.
    pub(super) fn item(&self, node: u32, field: Label) -> Target {
        self.raw.field(node, field).unwrap_or(Target::Value(Value::Null))
    }

    pub(super) fn number(&self, node: u32, field: Label) -> Option<u64> {
        match self.raw.field(node, field)? {
            Target::Value(Value::Int(number) | Value::Long(number)) => u64::try_from(number).ok(),
            _ => None,
        }
    }

    /// The elements of an array that are there, by index; and how long it is.
    pub(super) fn array(&mut self, array: u32) -> Option<(Vec<(u32, Target)>, u64)> {
        let range = of_kind(self.raw, &self.raw.range(array), INDEX);
        self.step(range.len() as u64 + 1)?;
        let mut elements = Vec::with_capacity(range.len());
        for edge in self.raw.slice(range) {
            let EdgeLabel::Index(index) = edge.label() else {
                return None;
            };
            // The same index twice: no array.
            if elements.last().is_some_and(|&(last, _)| last == index) {
                return None;
            }
            elements.push((index, edge.target()));
        }
        let known = elements.last().map_or(0, |&(last, _)| u64::from(last) + 1);
        let length = self.raw.content(array).map_or(known, |content| content.length.max(known));
        Some((elements, length))
    }
}
