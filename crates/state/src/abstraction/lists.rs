//! Collections with indexes, and bags.

use crate::abstraction::reader::Reader;
use crate::abstraction::{RingEnd, Shape};
use crate::graph::Target;
use crate::names::Label;
use crate::value::Value;

impl Reader<'_> {
    pub(super) fn read_list(&mut self, node: u32, shape: Shape<Label>) -> Option<()> {
        match shape {
            Shape::Sequence { array, size } => self.read_sequence(node, array, size),
            Shape::Ring { array, head, end } => self.read_ring(node, array, head, end),
            Shape::Chain { first, next, item, gaps } => {
                let mut at = 0;
                self.follow(node, first, next, |reader, link| {
                    let item = reader.item(link, item);
                    if !(gaps && item == Target::Value(Value::Null)) {
                        reader.element(at, item);
                        at += 1;
                    }
                    Some(())
                })
            }
            Shape::Bag { array, size } => {
                let Some(array) = self.reference(node, array)? else {
                    return Some(());
                };
                let limit = match size {
                    Some(size) => self.number(node, size)?,
                    None => u64::MAX,
                };
                let (elements, _) = self.array(array)?;
                for (at, element) in elements {
                    if u64::from(at) < limit && element != Target::Value(Value::Null) {
                        self.member(element);
                    }
                }
                Some(())
            }
            _ => None,
        }
    }

    fn read_sequence(&mut self, node: u32, array: Label, size: Option<Label>) -> Option<()> {
        let (elements, length) = match self.reference(node, array)? {
            Some(array) => self.array(array)?,
            None => (Vec::new(), 0),
        };
        let size = match size {
            Some(size) => self.number(node, size)?,
            None => length,
        };
        self.spread(&elements, 0, size, size)
    }

    fn read_ring(
        &mut self,
        node: u32,
        array: Label,
        head: Label,
        end: RingEnd<Label>,
    ) -> Option<()> {
        let array = self.reference(node, array)??;
        let head = self.number(node, head)?;
        let (elements, length) = self.array(array)?;
        let count = match end {
            RingEnd::Count(count) => self.number(node, count)?,
            RingEnd::Tail(tail) => {
                let tail = self.number(node, tail)?;
                if tail >= head { tail - head } else { (length + tail).checked_sub(head)? }
            }
        };
        self.spread(&elements, head, length.max(1), count)
    }

    /// `count` elements from `start` on, and on from 0 after `length`. Indexes that the capture left out are null.
    fn spread(
        &mut self,
        elements: &[(u32, Target)],
        start: u64,
        length: u64,
        count: u64,
    ) -> Option<()> {
        self.fill(count.saturating_sub(elements.len() as u64))?;
        for at in 0..count {
            let index = start.checked_add(at)? % length;
            let found = elements.binary_search_by_key(&index, |&(index, _)| u64::from(index));
            let null = Target::Value(Value::Null);
            self.element(at as usize, found.map_or(null, |found| elements[found].1));
        }
        Some(())
    }

    /// Each link of a chain; none if it runs in a circle.
    pub(super) fn follow(
        &mut self,
        node: u32,
        first: Label,
        next: Label,
        mut visit: impl FnMut(&mut Self, u32) -> Option<()>,
    ) -> Option<()> {
        let mut link = self.reference(node, first)?;
        // Brent: a fixed link that is passed again closes a circle.
        let (mut fixed, mut since, mut limit) = (None, 0u64, 1u64);
        while let Some(current) = link {
            self.step(1)?;
            visit(self, current)?;
            if fixed == Some(current) {
                return None;
            }
            since += 1;
            if since == limit {
                (fixed, since, limit) = (Some(current), 0, limit * 2);
            }
            link = self.reference(current, next)?;
        }
        Some(())
    }
}
