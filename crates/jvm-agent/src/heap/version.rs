//! A state as it is kept: what a walk met, and what has changed since, as long as that is little. Pure.

use std::sync::Arc;

use rustc_hash::FxHashSet;

use super::snapshot::{Snapshot, Thing};

#[derive(Debug, Clone)]
pub(crate) struct Version {
    /// Two versions with one number are one state.
    number: u64,
    walked: Arc<Snapshot>,
    since: Option<Arc<Since>>,
}

/// What is different from the state that was walked, and from the one before this.
#[derive(Debug)]
struct Since {
    things: FxHashSet<Thing>,
    /// What these things hold.
    held: Snapshot,
    step: Step,
}

/// From one version to the next.
#[derive(Debug)]
pub(crate) struct Step {
    from: u64,
    /// Things that hold something else, as they were.
    pub(crate) before: Snapshot,
    /// The same things, and those that were not there before.
    pub(crate) after: Snapshot,
    /// Objects from this number on were not there before.
    pub(crate) first_new: u32,
}

impl Version {
    pub(crate) fn walked(number: u64, snapshot: Snapshot) -> Version {
        Version { number, walked: Arc::new(snapshot), since: None }
    }

    /// The same but for what these things held before and hold after.
    pub(crate) fn next(
        &self,
        number: u64,
        changed: &[Thing],
        before: Snapshot,
        after: Snapshot,
        first_new: u32,
    ) -> Version {
        let mut now: FxHashSet<Thing> = after.holders().collect();
        now.extend(changed);
        let mut held = match &self.since {
            Some(since) => since.held.without(|thing, _| now.contains(&thing)),
            None => Snapshot::default(),
        };
        held.append(&after);
        let mut things = now;
        things.extend(self.since.iter().flat_map(|since| &since.things));
        let step = Step { from: self.number, before, after, first_new };
        let since = Some(Arc::new(Since { things, held, step }));
        Version { number, walked: Arc::clone(&self.walked), since }
    }

    pub(crate) fn is(&self, other: &Version) -> bool {
        self.number == other.number
    }

    /// What it took to get here from the other one, if that was one step.
    pub(crate) fn step_from(&self, other: &Version) -> Option<&Step> {
        self.since.as_ref().map(|since| &since.step).filter(|step| step.from == other.number)
    }

    /// How many things hold something else than when all was walked.
    pub(crate) fn changes(&self) -> usize {
        self.since.as_ref().map_or(0, |since| since.things.len())
    }

    /// All of the state, and maybe what nothing leads to any more.
    pub(crate) fn whole(&self) -> Arc<Snapshot> {
        let Some(since) = &self.since else { return Arc::clone(&self.walked) };
        let mut whole = self.walked.without(|thing, _| since.things.contains(&thing));
        whole.append(&since.held);
        Arc::new(whole)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::heap::snapshot::{Array, Edge, Held, Place, Primitive};

    fn object(number: u32) -> Thing {
        Thing::object(number).unwrap()
    }

    fn held(by: u32, value: i32) -> Snapshot {
        let mut snapshot = Snapshot::default();
        let place = Place::Field(0);
        snapshot.hold(Held { by: object(by), place, value: Primitive::Int(value) });
        snapshot
    }

    fn values(snapshot: &Snapshot) -> Vec<(u32, u64)> {
        let values = snapshot.held().iter().map(|held| (held.by.number(), held.value.bits()));
        let mut values: Vec<(u32, u64)> = values.collect();
        values.sort_unstable();
        values
    }

    #[test]
    fn steps_add_up_to_the_state_that_they_lead_to() {
        let mut all = held(1, 10);
        all.append(&held(2, 20));
        let first = Version::walked(1, all);
        let second = first.next(2, &[object(1)], held(1, 10), held(1, 11), 3);
        let mut after = held(1, 12);
        after.append(&held(3, 30));
        let third = second.next(3, &[object(1)], held(1, 11), after, 3);
        assert_eq!(values(&first.whole()), [(1, 10), (2, 20)]);
        assert_eq!(values(&second.whole()), [(1, 11), (2, 20)]);
        assert_eq!(values(&third.whole()), [(1, 12), (2, 20), (3, 30)]);
        assert_eq!((second.changes(), third.changes()), (1, 2));
        assert!(third.step_from(&second).is_some() && third.step_from(&first).is_none());
    }

    #[test]
    fn what_holds_nothing_any_more_is_empty() {
        let mut all = held(1, 10);
        let (thing, to) = (object(2), object(1));
        all.edge(Edge { from: thing, place: Place::Element(0), to });
        all.array(Array { thing, length: 1, digest: 0 });
        let emptied =
            Version::walked(1, all).next(2, &[thing], Snapshot::default(), Snapshot::default(), 3);
        let whole = emptied.whole();
        assert!(whole.edges().is_empty() && whole.arrays().is_empty());
    }
}
