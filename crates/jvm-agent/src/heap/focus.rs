//! Where two snapshots of one heap can differ at all. Pure.
//!
//! Objects keep their numbers from one snapshot to the next. So an object that holds the same in both, and leads only to such
//! objects, is the same, with all that it leads to: a picture need show no more of it than that it is there. A test changes
//! little and a program may hold much, so that nearly all of the heap is such.

use std::collections::BTreeMap;

use super::snapshot::{Edge, Objects, Place, Snapshot, Thing};
use super::things::ThingSet;

/// What a picture shows the insides of.
#[derive(Debug)]
pub(crate) struct Focus {
    objects: ThingSet,
    /// By their indexes.
    classes: Vec<bool>,
    /// What changed leads to an object that something outside holds too. Pictures cannot tell whether both still hold one and
    /// the same.
    pub(crate) shares_with_the_rest: bool,
}

/// What is known of the heap beside the two snapshots.
pub(crate) struct Known<'a, C, V, I> {
    pub(crate) objects: &'a Objects,
    /// How many classes there are.
    pub(crate) classes: usize,
    /// Whether a place is compared at all.
    pub(crate) counts: C,
    /// Whether an object is more than a value.
    pub(crate) can_change: V,
    /// Whether objects of a class are parts of a collection, which is only understood as a whole.
    pub(crate) is_inside: I,
}

impl Focus {
    /// None if nothing differs.
    pub(crate) fn between<C, V, I>(
        before: &Snapshot,
        after: &Snapshot,
        known: &Known<'_, C, V, I>,
    ) -> Option<Focus>
    where
        C: Fn(Thing, Place) -> bool,
        V: Fn(Thing) -> bool,
        I: Fn(usize) -> bool,
    {
        let objects = known.objects;
        let rest = before.unlike(after);
        let changed = changed(&rest, &known.counts);
        if changed.is_empty() {
            return None;
        }
        let heap = Heap::of(&rest.0, after, known);
        let leading = heap.leading_to(&changed);
        let below = heap.below(&changed, |_| true);
        let is_inside = |thing| objects.class_of(thing).is_some_and(&known.is_inside);
        let inside = heap.below(&leading, is_inside);
        let mut shown = ThingSet::default();
        leading.iter().chain(&below).chain(&inside).for_each(|thing| {
            shown.insert(*thing);
        });
        let mut classes = vec![false; known.classes];
        for class in leading.iter().filter_map(|thing| thing.class_index()) {
            classes[class] = true;
        }
        let mut focus = Focus { objects: shown, classes, shares_with_the_rest: false };
        let mut changeable = ThingSet::default();
        below.iter().filter(|thing| (known.can_change)(**thing)).for_each(|thing| {
            changeable.insert(*thing);
        });
        focus.shares_with_the_rest =
            heap.edges.iter().any(|edge| changeable.contains(edge.to) && !focus.shows(edge.from));
        Some(focus)
    }

    pub(crate) fn shows(&self, thing: Thing) -> bool {
        match thing.class_index() {
            Some(class) => self.classes.get(class).copied().unwrap_or(false),
            None => self.objects.contains(thing),
        }
    }
}

/// What does not hold the same in both, in a fixed order.
fn changed(
    (before, after): &(Snapshot, Snapshot),
    counts: impl Fn(Thing, Place) -> bool,
) -> Vec<Thing> {
    let mut contents: BTreeMap<Thing, u64> = BTreeMap::new();
    // Sums: the order in which they were met does not matter.
    before.for_each_content(&counts, |thing, digest| {
        let content = contents.entry(thing).or_default();
        *content = content.wrapping_add(digest);
    });
    after.for_each_content(&counts, |thing, digest| {
        let content = contents.entry(thing).or_default();
        *content = content.wrapping_sub(digest);
    });
    contents.into_iter().filter(|(_, content)| *content != 0).map(|(thing, _)| thing).collect()
}

/// The edges of both snapshots, by where they start and where they end.
struct Heap<'a> {
    objects: &'a Objects,
    edges: Vec<Edge>,
    slots: Slots,
    starting: Index,
    ending: Index,
}

impl<'a> Heap<'a> {
    fn of<C: Fn(Thing, Place) -> bool, V, I>(
        before: &Snapshot,
        after: &Snapshot,
        known: &Known<'a, C, V, I>,
    ) -> Heap<'a> {
        let edges: Vec<Edge> = before
            .edges()
            .iter()
            .chain(after.edges())
            .filter(|edge| (known.counts)(edge.from, edge.place))
            .copied()
            .collect();
        let slots = Slots { objects: known.objects.len(), classes: known.classes };
        let starting = Index::of(slots, edges.iter().map(|edge| edge.from));
        let ending = Index::of(slots, edges.iter().map(|edge| edge.to));
        Heap { objects: known.objects, edges, slots, starting, ending }
    }

    /// With the given ones.
    fn leading_to(&self, things: &[Thing]) -> Vec<Thing> {
        let mut seen = vec![false; self.slots.count()];
        let mut found = Vec::new();
        let mut open = things.to_vec();
        while let Some(thing) = open.pop() {
            if std::mem::replace(&mut seen[self.slots.slot(thing)], true) {
                continue;
            }
            found.push(thing);
            open.extend(self.ending.of_slot(self.slots.slot(thing)).map(|at| self.edges[at].from));
        }
        found
    }

    /// The objects that these lead to, by way of such objects only.
    fn below(&self, things: &[Thing], may_enter: impl Fn(Thing) -> bool) -> Vec<Thing> {
        let mut seen = ThingSet::default();
        let mut found = Vec::new();
        let mut open = things.to_vec();
        while let Some(thing) = open.pop() {
            let here = self.starting.of_slot(self.slots.slot(thing)).map(|at| self.edges[at].to);
            let frozen = self.objects.frozen.get(&thing).into_iter().flat_map(|it| &it.edges);
            for to in here.chain(frozen.map(|edge| edge.to)) {
                if may_enter(to) && seen.insert(to) {
                    found.push(to);
                    open.push(to);
                }
            }
        }
        found
    }
}

/// Where a thing is in a table of all: objects by their numbers, then classes.
#[derive(Debug, Clone, Copy)]
struct Slots {
    objects: usize,
    classes: usize,
}

impl Slots {
    fn count(self) -> usize {
        self.objects + self.classes
    }

    fn slot(self, thing: Thing) -> usize {
        thing.class_index().map_or(thing.number() as usize, |class| self.objects + class)
    }
}

/// Which edges belong to a slot, for all slots in two arrays.
struct Index {
    /// By slot, where its edges end in the other array, which is where those of the next begin.
    ends: Vec<u32>,
    edges: Vec<u32>,
}

impl Index {
    fn of(slots: Slots, things: impl Iterator<Item = Thing> + Clone) -> Index {
        let mut ends = vec![0_u32; slots.count() + 1];
        for thing in things.clone() {
            ends[slots.slot(thing) + 1] += 1;
        }
        for slot in 1..ends.len() {
            ends[slot] += ends[slot - 1];
        }
        let mut edges = vec![0; ends.last().map_or(0, |end| *end as usize)];
        // Each slot's begin moves to its end while it is filled.
        for (at, thing) in things.enumerate() {
            let place = &mut ends[slots.slot(thing)];
            edges[*place as usize] = at as u32;
            *place += 1;
        }
        Index { ends, edges }
    }

    fn of_slot(&self, slot: usize) -> impl Iterator<Item = usize> {
        let begin = slot.checked_sub(1).map_or(0, |before| self.ends[before]);
        self.edges[begin as usize..self.ends[slot] as usize].iter().map(|at| *at as usize)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::heap::snapshot::{Held, Primitive};

    const COLLECTION: usize = 1;

    /// Objects 1 to n, of class 0 but for those that are parts of collections.
    fn objects(count: u32, inside: &[u32]) -> Objects {
        let mut objects = Objects::default();
        (1..=count).for_each(|number| {
            objects.add(if inside.contains(&number) { COLLECTION as u32 } else { 0 });
        });
        objects
    }

    fn object(number: u32) -> Thing {
        Thing::object(number).unwrap()
    }

    /// From class 0 if `from` is 0.
    fn snapshot(edges: &[(u32, u32, u32)], value: i32) -> Snapshot {
        let mut snapshot = Snapshot::default();
        for &(from, place, to) in edges {
            let (from, place) = match from {
                0 => (Thing::class(0).unwrap(), Place::Static(place)),
                from => (object(from), Place::Field(place)),
            };
            snapshot.edge(Edge { from, place, to: object(to) });
        }
        let value = Primitive::Int(value);
        snapshot.hold(Held { by: object(3), place: Place::Field(9), value });
        snapshot
    }

    fn focus(before: &Snapshot, after: &Snapshot, objects: &Objects) -> Option<Focus> {
        let known = Known {
            objects,
            classes: 2,
            counts: |_, _| true,
            can_change: |_| true,
            is_inside: |class| class == COLLECTION,
        };
        Focus::between(before, after, &known)
    }

    fn shown(focus: &Focus, count: u32) -> Vec<u32> {
        (1..=count).filter(|number| focus.shows(object(*number))).collect()
    }

    #[test]
    fn the_same_heap_met_in_another_order_is_the_same() {
        let objects = objects(3, &[]);
        let before = snapshot(&[(0, 0, 1), (0, 1, 2), (1, 0, 3)], 7);
        let after = snapshot(&[(0, 1, 2), (1, 0, 3), (0, 0, 1)], 7);
        assert!(focus(&before, &after, &objects).is_none());
    }

    #[test]
    fn what_leads_to_a_change_is_shown_and_the_rest_is_not() {
        let objects = objects(5, &[]);
        let edges = [(0, 0, 1), (1, 0, 3), (0, 1, 4), (4, 0, 5)];
        let focus = focus(&snapshot(&edges, 7), &snapshot(&edges, 8), &objects).unwrap();
        assert_eq!(shown(&focus, 5), [1, 3]);
        assert!(focus.shows(Thing::class(0).unwrap()));
        assert!(!focus.shares_with_the_rest);
    }

    #[test]
    fn a_new_object_is_shown_with_all_that_it_leads_to() {
        let objects = objects(6, &[]);
        let before = snapshot(&[(0, 0, 1), (0, 1, 4), (4, 0, 5)], 7);
        let after = snapshot(&[(0, 0, 1), (0, 1, 4), (4, 0, 5), (1, 0, 6), (6, 0, 5)], 7);
        let focus = focus(&before, &after, &objects).unwrap();
        assert_eq!(shown(&focus, 6), [1, 5, 6]);
        assert!(focus.shares_with_the_rest, "5 is also held by 4, which is not shown");
    }

    #[test]
    fn a_collection_is_shown_as_a_whole_but_not_what_is_in_it() {
        let objects = objects(6, &[1, 2, 4, 5]);
        let edges = [(0, 0, 1), (1, 0, 2), (2, 0, 3), (1, 1, 4), (4, 0, 5), (5, 0, 6)];
        let focus = focus(&snapshot(&edges, 7), &snapshot(&edges, 8), &objects).unwrap();
        assert_eq!(shown(&focus, 6), [1, 2, 3, 4, 5]);
    }
}
