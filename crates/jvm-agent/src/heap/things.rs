//! Sets of objects by their numbers. Pure.

use super::snapshot::Thing;

/// Objects, not classes. Numbers are dense, so a bit for each is the smallest and the quickest.
#[derive(Debug, Clone, Default)]
pub(crate) struct ThingSet {
    bits: Vec<u64>,
}

impl ThingSet {
    pub(crate) fn contains(&self, thing: Thing) -> bool {
        let (word, bit) = place(thing);
        self.bits.get(word).is_some_and(|bits| bits & bit != 0)
    }

    /// Whether it is new.
    pub(crate) fn insert(&mut self, thing: Thing) -> bool {
        if thing.class_index().is_some() {
            return false;
        }
        let (word, bit) = place(thing);
        if self.bits.len() <= word {
            self.bits.resize(word + 1, 0);
        }
        let is_new = self.bits[word] & bit == 0;
        self.bits[word] |= bit;
        is_new
    }

    /// Whether it was there.
    pub(crate) fn remove(&mut self, thing: Thing) -> bool {
        let was_there = self.contains(thing);
        if was_there {
            let (word, bit) = place(thing);
            self.bits[word] &= !bit;
        }
        was_there
    }
}

fn place(thing: Thing) -> (usize, u64) {
    let number = thing.number() as usize;
    (number / 64, 1 << (number % 64))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_set_has_what_was_put_in_and_no_class() {
        let mut set = ThingSet::default();
        let things = [1, 63, 64, 1000].map(|number| Thing::object(number).unwrap());
        assert!(things.iter().all(|thing| set.insert(*thing)));
        assert!(things.iter().all(|thing| !set.insert(*thing) && set.contains(*thing)));
        assert!(!set.contains(Thing::object(2).unwrap()));
        let class = Thing::class(3).unwrap();
        assert!(!set.insert(class) && !set.contains(class));
        assert!(set.remove(things[2]) && !set.remove(things[2]) && !set.contains(things[2]));
    }
}
