//! Where two snapshots of one heap can differ at all. Pure.
//!
//! Objects keep their numbers from one snapshot to the next. So an object that holds the same in both, and leads only to such
//! objects, is the same, with all that it leads to: a picture need show no more of it than that it is there. A test changes
//! little and a program may hold much, so that nearly all of the heap is such.

use std::collections::BTreeMap;

use super::links::{Index, Links};
use super::snapshot::{Edge, Objects, Place, Snapshot, Thing};
use super::things::ThingSet;

/// What a picture shows the insides of.
#[derive(Debug)]
pub(crate) struct Focus {
    /// In no order, and some of them more than once.
    things: Vec<Thing>,
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

impl<C, V, I> Known<'_, C, V, I>
where
    C: Fn(Thing, Place) -> bool,
    V: Fn(Thing) -> bool,
    I: Fn(usize) -> bool,
{
    /// Where two snapshots differ; none if nothing does.
    pub(crate) fn between(&self, before: &Snapshot, after: &Snapshot) -> Option<Focus> {
        let rest = before.unlike(after);
        let changed = self.changed(&rest.0, &rest.1);
        if changed.is_empty() {
            return None;
        }
        let heap = Heap::of(&rest.0, after, self);
        Some(self.around(&changed, &heap))
    }

    /// What does not hold the same in both, in a fixed order.
    pub(crate) fn changed(&self, before: &Snapshot, after: &Snapshot) -> Vec<Thing> {
        let mut contents: BTreeMap<Thing, u64> = BTreeMap::new();
        // Sums: the order in which they were met does not matter.
        before.for_each_content(&self.counts, |thing, digest| {
            let content = contents.entry(thing).or_default();
            *content = content.wrapping_add(digest);
        });
        after.for_each_content(&self.counts, |thing, digest| {
            let content = contents.entry(thing).or_default();
            *content = content.wrapping_sub(digest);
        });
        contents.into_iter().filter(|(_, content)| *content != 0).map(|(thing, _)| thing).collect()
    }

    /// What these are to be seen in.
    pub(crate) fn around(&self, changed: &[Thing], links: &impl Links) -> Focus {
        let leading = self.leading_to(changed, links);
        let below = self.below(changed, links, |_| true);
        let is_inside = |thing| self.objects.class_of(thing).is_some_and(&self.is_inside);
        let inside = self.below(&leading, links, is_inside);
        let mut classes = vec![false; self.classes];
        for class in leading.iter().filter_map(|thing| thing.class_index()) {
            classes[class] = true;
        }
        let mut objects = ThingSet::default();
        let things: Vec<Thing> = leading.iter().chain(&below).chain(&inside).copied().collect();
        things.iter().for_each(|thing| {
            objects.insert(*thing);
        });
        let mut focus = Focus { things, objects, classes, shares_with_the_rest: false };
        let mut shares = false;
        for thing in below.iter().filter(|thing| (self.can_change)(**thing)) {
            links.for_each_holder(*thing, &mut |holder| shares |= !focus.shows(holder));
        }
        focus.shares_with_the_rest = shares;
        focus
    }

    /// With the given ones.
    fn leading_to(&self, things: &[Thing], links: &impl Links) -> Vec<Thing> {
        let mut seen = vec![false; self.slots().count()];
        let mut found = Vec::new();
        let mut open = things.to_vec();
        while let Some(thing) = open.pop() {
            if !std::mem::replace(&mut seen[self.slots().slot(thing)], true) {
                found.push(thing);
                links.for_each_holder(thing, &mut |holder| open.push(holder));
            }
        }
        found
    }

    /// The objects that these lead to, by way of such objects only.
    fn below(
        &self,
        things: &[Thing],
        links: &impl Links,
        may_enter: impl Fn(Thing) -> bool,
    ) -> Vec<Thing> {
        let mut seen = ThingSet::default();
        let mut found = Vec::new();
        let mut open = things.to_vec();
        while let Some(thing) = open.pop() {
            let mut enter = |to| {
                if may_enter(to) && seen.insert(to) {
                    found.push(to);
                    open.push(to);
                }
            };
            links.for_each_held(thing, &mut enter);
            let frozen = self.objects.frozen.get(&thing).into_iter().flat_map(|it| &it.edges);
            frozen.for_each(|edge| enter(edge.to));
        }
        found
    }

    fn slots(&self) -> Slots {
        Slots { objects: self.objects.len(), classes: self.classes }
    }
}

impl Focus {
    pub(crate) fn shows(&self, thing: Thing) -> bool {
        match thing.class_index() {
            Some(class) => self.classes.get(class).copied().unwrap_or(false),
            None => self.objects.contains(thing),
        }
    }

    /// All that it shows, each once.
    pub(crate) fn things(&self) -> Vec<Thing> {
        let mut things: Vec<Thing> =
            self.things.iter().copied().filter(|thing| self.shows(*thing)).collect();
        things.sort_unstable();
        things.dedup();
        things
    }
}

/// The edges of both snapshots, by where they start and where they end.
struct Heap {
    edges: Vec<Edge>,
    slots: Slots,
    starting: Index,
    ending: Index,
}

impl Heap {
    fn of<C, V, I>(before: &Snapshot, after: &Snapshot, known: &Known<'_, C, V, I>) -> Heap
    where
        C: Fn(Thing, Place) -> bool,
    {
        let edges: Vec<Edge> = before
            .edges()
            .iter()
            .chain(after.edges())
            .filter(|edge| (known.counts)(edge.from, edge.place))
            .copied()
            .collect();
        let slots = Slots { objects: known.objects.len(), classes: known.classes };
        let starts = (0..).zip(edges.iter().map(|edge| slots.slot(edge.from)));
        let ends = (0..).zip(edges.iter().map(|edge| slots.slot(edge.to)));
        let [starting, ending] = [Index::of(slots.count(), starts), Index::of(slots.count(), ends)];
        Heap { edges, slots, starting, ending }
    }
}

impl Links for Heap {
    fn for_each_holder(&self, of: Thing, tell: &mut dyn FnMut(Thing)) {
        let edges = self.ending.of_slot(self.slots.slot(of)).iter();
        edges.for_each(|at| tell(self.edges[*at as usize].from));
    }

    fn for_each_held(&self, by: Thing, tell: &mut dyn FnMut(Thing)) {
        let edges = self.starting.of_slot(self.slots.slot(by)).iter();
        edges.for_each(|at| tell(self.edges[*at as usize].to));
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
        known.between(before, after)
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
