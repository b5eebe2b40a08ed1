//! Finds objects that can never change: all their fields are final, and so are those of all that they lead to. They are
//! written down once, and no walk enters them again. Most constants are such. Pure.

use std::ops::Range;

use rustc_hash::FxHashMap;

use super::snapshot::{Edge, Objects, Snapshot, Thing};
use super::things::ThingSet;

/// Takes out of a snapshot what is frozen from now on, of the objects with these numbers. `may_freeze` says of a class whether
/// an object of it has nothing but final fields; `is_value` of an object whether it is a value anyhow.
pub(crate) fn freeze(
    snapshot: Snapshot,
    objects: &mut Objects,
    new: Range<u32>,
    mut may_freeze: impl FnMut(usize) -> bool,
    is_value: impl Fn(&Objects, Thing) -> bool,
) -> Snapshot {
    let new: Vec<Thing> = new
        .filter_map(Thing::object)
        .filter(|thing| !objects.below_frozen.contains(*thing) && !is_value(objects, *thing))
        .filter(|thing| objects.class_of(*thing).is_some_and(&mut may_freeze))
        .collect();
    if new.is_empty() {
        return snapshot;
    }
    let mut frozen = ThingSet::default();
    new.iter().for_each(|thing| {
        frozen.insert(*thing);
    });
    let mut referrers: FxHashMap<Thing, Vec<Thing>> = FxHashMap::default();
    let mut open: Vec<Thing> = Vec::new();
    for Edge { from, to, .. } in snapshot.edges() {
        if !frozen.contains(*from) || to.class_index().is_some() || is_value(objects, *to) {
            continue;
        }
        if frozen.contains(*to) {
            referrers.entry(*to).or_default().push(*from);
        } else if !objects.below_frozen.contains(*to) {
            open.push(*from);
        }
    }
    // What leads to something that can change, can change.
    while let Some(thing) = open.pop() {
        if frozen.remove(thing) {
            open.extend(referrers.remove(&thing).unwrap_or_default());
        }
    }
    let left: Vec<Thing> = new.into_iter().filter(|thing| frozen.contains(*thing)).collect();
    if left.is_empty() {
        return snapshot;
    }
    left.into_iter().for_each(|thing| {
        objects.below_frozen.insert(thing);
    });
    let mut rest = Snapshot::default();
    for edge in snapshot.edges() {
        if frozen.contains(edge.from) {
            objects.freeze_edge(*edge);
        } else {
            rest.edge(*edge);
        }
    }
    for held in snapshot.held() {
        if frozen.contains(held.by) {
            objects.frozen.entry(held.by).or_default().held.push(*held);
        } else {
            rest.hold(*held);
        }
    }
    snapshot.arrays().iter().for_each(|array| rest.array(*array));
    rest
}
