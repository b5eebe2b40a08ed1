//! Which things lead to which. Pure.

use rustc_hash::FxHashMap;

use super::snapshot::Thing;

/// What a focus is found in.
pub(crate) trait Links {
    /// More than there are does no harm.
    fn for_each_holder(&self, of: Thing, tell: &mut dyn FnMut(Thing));

    fn for_each_held(&self, by: Thing, tell: &mut dyn FnMut(Thing));
}

/// Which entries of a list belong to a slot, for all slots in two arrays.
#[derive(Debug, Default)]
pub(crate) struct Index {
    /// By slot, where its entries end in the other array, which is where those of the next begin.
    ends: Vec<u32>,
    entries: Vec<u32>,
}

impl Index {
    /// Of entries with their numbers and their slots, which are below the count.
    pub(crate) fn of(count: usize, entries: impl Iterator<Item = (u32, usize)> + Clone) -> Index {
        let mut ends = vec![0_u32; count + 1];
        for (_, slot) in entries.clone() {
            ends[slot + 1] += 1;
        }
        for slot in 1..ends.len() {
            ends[slot] += ends[slot - 1];
        }
        let mut sorted = vec![0; ends.last().map_or(0, |end| *end as usize)];
        // Each slot's begin moves to its end while it is filled.
        for (number, slot) in entries {
            let place = &mut ends[slot];
            sorted[*place as usize] = number;
            *place += 1;
        }
        Index { ends, entries: sorted }
    }

    pub(crate) fn of_slot(&self, slot: usize) -> &[u32] {
        let Some(end) = self.ends.get(slot) else { return &[] };
        let begin = slot.checked_sub(1).map_or(0, |before| self.ends[before]);
        &self.entries[begin as usize..*end as usize]
    }
}

/// Which numbers refer to which. What does not any more is not taken out.
#[derive(Debug)]
pub(crate) struct Referrers {
    index: Index,
    later: FxHashMap<u32, Vec<u32>>,
}

impl Referrers {
    /// From pairs of a referrer and what it refers to, which is below the count.
    pub(crate) fn of(count: usize, pairs: impl Iterator<Item = (u32, usize)> + Clone) -> Referrers {
        Referrers { index: Index::of(count, pairs), later: FxHashMap::default() }
    }

    pub(crate) fn add(&mut self, target: u32, referrer: u32) {
        self.later.entry(target).or_default().push(referrer);
    }

    pub(crate) fn to(&self, target: u32) -> impl Iterator<Item = &u32> {
        let later = self.later.get(&target).into_iter().flatten();
        self.index.of_slot(target as usize).iter().chain(later)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_slot_has_its_entries_in_their_order() {
        let entries = [(10, 2), (11, 0), (12, 2), (13, 1)];
        let index = Index::of(4, entries.into_iter());
        let slots: Vec<&[u32]> = (0..9).map(|slot| index.of_slot(slot)).collect();
        assert_eq!(slots[..4], [&[11][..], &[13], &[10, 12], &[]]);
        assert!(slots[4..].iter().all(|entries| entries.is_empty()), "nobody knew of those");
    }
}
