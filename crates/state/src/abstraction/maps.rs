//! Collections with keys.

use crate::abstraction::Shape;
use crate::abstraction::reader::{Entry, Found, Reader};
use crate::graph::{EdgeLabel, Target};
use crate::hash::mix;
use crate::names::Label;
use crate::value::Value;

const NULL: Target = Target::Value(Value::Null);

/// Where an entry object keeps what it holds.
#[derive(Clone, Copy)]
struct Fields {
    key: Label,
    value: Label,
}

impl Reader<'_> {
    pub(super) fn read_map(&mut self, node: u32, shape: Shape<Label>) -> Option<()> {
        match shape {
            Shape::LinkedMap { head, after, key, value } => {
                let fields = Fields { key, value };
                let mut at = 0;
                self.follow(node, head, after, |reader, link| {
                    let found = reader.entry_object(link, fields);
                    reader.edges.push((EdgeLabel::Order(at), found));
                    at += 1;
                    Some(())
                })
            }
            Shape::HashTable { .. } => self.read_table(node, shape),
            Shape::Tree { root, left, right, key, value } => {
                let fields = Fields { key, value };
                let mut todo: Vec<u32> = self.reference(node, root)?.into_iter().collect();
                while let Some(link) = todo.pop() {
                    self.step(1)?;
                    self.entry_object(link, fields);
                    todo.extend(self.reference(link, left)?);
                    todo.extend(self.reference(link, right)?);
                }
                Some(())
            }
            Shape::SkipList { head, node: base, next, key, value } => {
                let Some(index) = self.reference(node, head)? else {
                    return Some(());
                };
                self.follow(index, base, next, |reader, link| {
                    if reader.item(link, key) != NULL && reader.item(link, value) != NULL {
                        reader.entry_object(link, Fields { key, value });
                    }
                    Some(())
                })
            }
            Shape::Pairs { table } => self.read_pairs(node, table),
            Shape::Parallel { keys, values } => {
                let (keys, values) = (self.reference(node, keys)??, self.reference(node, values)??);
                let (keys, values) = (self.array(keys)?.0, self.array(values)?.0);
                for (at, value) in values.into_iter().filter(|&(_, value)| value != NULL) {
                    let key = keys.binary_search_by_key(&at, |&(index, _)| index).ok()?;
                    self.entry(Entry { key: keys[key].1, value, identity: 0 });
                }
                Some(())
            }
            Shape::Bits { bits, universe } => {
                let bits = match self.raw.field(node, bits)? {
                    Target::Value(Value::Int(bits) | Value::Long(bits)) => bits as u64,
                    _ => return None,
                };
                let universe = self.reference(node, universe)??;
                let (members, _) = self.array(universe)?;
                let beyond = (0..64).filter(|at| bits >> at & 1 == 1);
                for at in beyond {
                    let found = members.binary_search_by_key(&at, |&(index, _)| index).ok()?;
                    self.member(members[found].1);
                }
                Some(())
            }
            _ => None,
        }
    }

    fn read_table(&mut self, node: u32, shape: Shape<Label>) -> Option<()> {
        let Shape::HashTable { table, next, key, value, bin, moved, weak } = shape else {
            return None;
        };
        let fields = Fields { key, value };
        let Some(table) = self.reference(node, table)? else {
            return Some(());
        };
        let (buckets, _) = self.array(table)?;
        for (_, bucket) in buckets {
            let bucket = match bucket {
                Target::Node(bucket) => bucket.0,
                Target::Value(Value::Null) => continue,
                Target::Value(_) => return None,
            };
            if moved.is_some_and(|moved| self.raw.field(bucket, moved).is_some()) {
                return None;
            }
            let is_bin = bin.filter(|&bin| self.raw.field(bucket, bin).is_some());
            let visit = |reader: &mut Self, link: u32| {
                if !(weak && reader.item(link, key) == NULL) {
                    reader.entry_object(link, fields);
                }
                Some(())
            };
            match is_bin {
                Some(bin) => self.follow(bucket, bin, next, visit)?,
                None => {
                    self.step(1)?;
                    visit(self, bucket)?;
                    self.follow(bucket, next, next, visit)?;
                }
            }
        }
        Some(())
    }

    fn read_pairs(&mut self, node: u32, table: Label) -> Option<()> {
        let Some(table) = self.reference(node, table)? else {
            return Some(());
        };
        let map = self.raw.record(node).identity;
        let (cells, _) = self.array(table)?;
        for &(at, key) in &cells {
            if at % 2 == 1 || key == NULL {
                continue;
            }
            let value = cells.binary_search_by_key(&(at + 1), |&(index, _)| index);
            let value = value.map_or(NULL, |found| cells[found].1);
            // There is no entry object; map and key together identify it as well.
            let identity = match key {
                Target::Node(key) if map != 0 && self.raw.record(key.0).identity != 0 => {
                    mix(map, self.raw.record(key.0).identity)
                }
                _ => 0,
            };
            self.entry(Entry { key, value, identity });
        }
        Some(())
    }

    fn entry_object(&mut self, link: u32, fields: Fields) -> Found {
        let (key, value) = (self.item(link, fields.key), self.item(link, fields.value));
        self.entry(Entry { key, value, identity: self.raw.record(link).identity })
    }
}
