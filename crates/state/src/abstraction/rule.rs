//! What the objects of a class are, as data.

use crate::names::{Label, Names};

/// How a collection lies in memory. `L` names a field: a [`Label`] in rules that are applied, a string in tables of them.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Shape<L> {
    /// No collection: some fields are no state, and that is all.
    Plain,
    /// The first `size` elements of an array, or all.
    Sequence { array: L, size: Option<L> },
    /// Elements of an array from `head` on, and on from its start.
    Ring { array: L, head: L, end: RingEnd<L> },
    /// Nodes that lead to each other. `gaps`: a node without item is none (the dummy of a queue, or one being removed).
    Chain { first: L, next: L, item: L, gaps: bool },
    /// Elements of an array without order; null is none.
    Bag { array: L, size: Option<L> },
    /// Entries that lead to each other in an order that programs can see.
    LinkedMap { head: L, after: L, key: L, value: L },
    /// An array of chains of entries.
    HashTable {
        table: L,
        next: L,
        key: L,
        value: L,
        /// The field by which a bucket that is no entry leads to its first one.
        bin: Option<L>,
        /// A bucket with this field is none of this table any more: the object is left as it is.
        moved: Option<L>,
        /// Entries without key were collected by the VM.
        weak: bool,
    },
    /// Entries as a binary tree.
    Tree { root: L, left: L, right: L, key: L, value: L },
    /// A chain of entries below an index; those without key or value are none.
    SkipList { head: L, node: L, next: L, key: L, value: L },
    /// An array of key, value, key, value; a null key is none.
    Pairs { table: L },
    /// Two arrays; a null value is none.
    Parallel { keys: L, values: L },
    /// A number whose bits say which of the universe are members.
    Bits { bits: L, universe: L },
    /// All that another collection holds.
    Delegate { to: L },
    /// The keys of a map.
    Set { map: L },
    /// No collection: the object works in another one, which it sets anew for each use. Only the settings of that one are
    /// state, and they count as its own.
    WorksIn { other: L, settings: [L; 4] },
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RingEnd<L> {
    /// The index behind the last element.
    Tail(L),
    Count(L),
}

impl<L> Shape<L> {
    pub(crate) fn map<M>(self, mut to: impl FnMut(L) -> M) -> Shape<M> {
        match self {
            Shape::Plain => Shape::Plain,
            Shape::Sequence { array, size } => {
                Shape::Sequence { array: to(array), size: size.map(to) }
            }
            Shape::Ring { array, head, end } => {
                let (array, head) = (to(array), to(head));
                let end = match end {
                    RingEnd::Tail(tail) => RingEnd::Tail(to(tail)),
                    RingEnd::Count(count) => RingEnd::Count(to(count)),
                };
                Shape::Ring { array, head, end }
            }
            Shape::Chain { first, next, item, gaps } => {
                Shape::Chain { first: to(first), next: to(next), item: to(item), gaps }
            }
            Shape::Bag { array, size } => Shape::Bag { array: to(array), size: size.map(to) },
            Shape::LinkedMap { head, after, key, value } => Shape::LinkedMap {
                head: to(head),
                after: to(after),
                key: to(key),
                value: to(value),
            },
            Shape::HashTable { table, next, key, value, bin, moved, weak } => Shape::HashTable {
                table: to(table),
                next: to(next),
                key: to(key),
                value: to(value),
                bin: bin.map(&mut to),
                moved: moved.map(&mut to),
                weak,
            },
            Shape::Tree { root, left, right, key, value } => Shape::Tree {
                root: to(root),
                left: to(left),
                right: to(right),
                key: to(key),
                value: to(value),
            },
            Shape::SkipList { head, node, next, key, value } => Shape::SkipList {
                head: to(head),
                node: to(node),
                next: to(next),
                key: to(key),
                value: to(value),
            },
            Shape::Pairs { table } => Shape::Pairs { table: to(table) },
            Shape::Parallel { keys, values } => {
                Shape::Parallel { keys: to(keys), values: to(values) }
            }
            Shape::Bits { bits, universe } => {
                Shape::Bits { bits: to(bits), universe: to(universe) }
            }
            Shape::Delegate { to: inner } => Shape::Delegate { to: to(inner) },
            Shape::Set { map } => Shape::Set { map: to(map) },
            Shape::WorksIn { other, settings } => {
                Shape::WorksIn { other: to(other), settings: settings.map(to) }
            }
        }
    }
}

impl Shape<Label> {
    /// The fields of the collection itself that the shape stands for.
    pub(crate) fn own_fields(&self) -> [Option<Label>; 3] {
        match *self {
            Shape::Plain => [None; 3],
            Shape::Sequence { array, size } | Shape::Bag { array, size } => {
                [Some(array), size, None]
            }
            Shape::Ring { array, head, end: RingEnd::Tail(end) | RingEnd::Count(end) } => {
                [Some(array), Some(head), Some(end)]
            }
            Shape::Bits { bits: first, universe: second }
            | Shape::Parallel { keys: first, values: second } => [Some(first), Some(second), None],
            Shape::Chain { first: only, .. }
            | Shape::LinkedMap { head: only, .. }
            | Shape::HashTable { table: only, .. }
            | Shape::Tree { root: only, .. }
            | Shape::SkipList { head: only, .. }
            | Shape::Pairs { table: only }
            | Shape::Delegate { to: only }
            | Shape::Set { map: only }
            | Shape::WorksIn { other: only, .. } => [Some(only), None, None],
        }
    }
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Rule {
    pub shape: Shape<Label>,
    /// Fields that are no state: counters of modifications, capacities, views made on demand.
    pub dropped: Vec<Label>,
}

/// Which class is what. A class without a rule is what it is.
#[derive(Debug, Default)]
pub struct Rules {
    rules: Vec<Rule>,
    /// By class; 0 for none, else one more than the rule's place.
    by_class: Vec<u32>,
}

impl Rules {
    pub fn new() -> Self {
        Rules::default()
    }

    /// The collections of Java's library.
    pub fn java(names: &mut Names) -> Self {
        let mut rules = Rules::new();
        for (class, shape, dropped) in super::java::TABLE {
            let shape = shape.map(|field| names.label(field));
            let dropped = dropped.iter().map(|field| names.label(field)).collect();
            rules.add(names.label(class), Rule { shape, dropped });
        }
        rules
    }

    pub fn add(&mut self, class: Label, rule: Rule) {
        self.rules.push(rule);
        self.set(class, self.rules.len() as u32);
    }

    /// A class that extends one with a rule has the same, unless it has its own. Its own fields stay state.
    pub fn inherit(&mut self, class: Label, superclass: Label) {
        let rule = self.place(superclass);
        if rule != 0 && self.place(class) == 0 {
            self.set(class, rule);
        }
    }

    /// One more field of a class that is no state.
    pub fn drop_field(&mut self, class: Label, field: Label) {
        let mut rule =
            self.of(class).cloned().unwrap_or(Rule { shape: Shape::Plain, dropped: Vec::new() });
        rule.dropped.push(field);
        self.add(class, rule);
    }

    pub fn of(&self, class: Label) -> Option<&Rule> {
        self.rules.get((self.place(class) as usize).checked_sub(1)?)
    }

    fn place(&self, class: Label) -> u32 {
        self.by_class.get(class.0 as usize).copied().unwrap_or_default()
    }

    fn set(&mut self, class: Label, rule: u32) {
        let at = class.0 as usize;
        if self.by_class.len() <= at {
            self.by_class.resize(at + 1, 0);
        }
        self.by_class[at] = rule;
    }
}
