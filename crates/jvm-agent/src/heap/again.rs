//! Captures the state again where it can have changed.

use super::camera::{Camera, Recalled, Vm};
use super::memory::Holder;
use super::notes::{Notes, Walked};
use super::pace::Way;
use super::recall::Recall;
use super::renewal::Renewal;
use super::snapshot::{Objects, Snapshot, Thing};
use super::treatment::Treatment;
use super::version::Version;
use super::visit;

/// When more objects hold something else than when all was walked, all is walked again.
const MOST_CHANGES: usize = 2000;

impl Camera {
    /// The state by what has changed since the last capture; none if all has to be walked.
    pub(super) fn since_last(&mut self, classes: &[usize], vm: Vm<'_>) -> Option<Version> {
        let last = self.recalled.take();
        if self.pace.way(self.references) != Way::Visit {
            return None;
        }
        let recall = self.recall.get_or_insert_with(|| Recall::new(vm.jni)).as_mut()?;
        let differing = recall.begin(vm.jni)?;
        let last = last.filter(|last| last.classes == classes);
        let last =
            last.filter(|last| self.known_locals(vm).is_ok_and(|locals| locals == last.locals));
        let Some(mut last) = last else {
            self.recall.iter_mut().flatten().for_each(|recall| recall.forget(&differing));
            return None;
        };
        if !self.is_renewed(&last, &differing, vm) {
            last.version = self.changed(&last, &differing, vm)?;
        }
        let version = last.version.clone();
        if self.end_recall(vm) {
            self.recalled = Some(last);
        }
        Some(version)
    }

    /// Only names of objects are different, if anything is.
    fn is_renewed(&mut self, last: &Recalled, differing: &[u32], vm: Vm<'_>) -> bool {
        let Some(Some(recall)) = &mut self.recall else { return false };
        let locals = last.locals.iter().flat_map(|(key, _, value)| [Some(*key), *value]).flatten();
        let mut renewal = Renewal {
            recall,
            classes: &mut self.classes,
            objects: &self.objects,
            texts: &mut self.texts,
            roots: &self.roots,
            locals: locals.collect(),
            vm,
        };
        differing.is_empty() || renewal.is_as_before(differing)
    }

    /// What has changed, and what that leads to that was not there before.
    fn changed(&mut self, last: &Recalled, differing: &[u32], vm: Vm<'_>) -> Option<Version> {
        let Some(Some(recall)) = &mut self.recall else { return None };
        let things: Vec<Thing> =
            differing.iter().filter_map(|at| recall.memory().thing_of(*at)).collect();
        let mut before = Snapshot::default();
        for thing in &things {
            let holder = holder(*thing, &self.objects)?;
            recall.memory().copy(*thing, holder, &mut before);
        }
        recall.forget(differing);
        // Whether the fields of a constant are state is known only from where its class holds it.
        let is_constant = |thing: &Thing| {
            let class = self.objects.class_of(*thing);
            let treatment = class.and_then(|class| self.classes.treatments().get(class));
            treatment == Some(&Treatment::Enum)
        };
        let most = MOST_CHANGES.saturating_sub(last.version.changes());
        if things.len() > most || things.iter().any(is_constant) {
            return None;
        }
        recall.memory_mut().index_referrers();
        let first_new = u32::try_from(self.objects.len()).ok()?;
        let Some(after) = self.read_anew(&things, vm) else {
            self.recall.iter_mut().flatten().for_each(|recall| recall.restart(vm.jni));
            return None;
        };
        let number = self.next_number();
        Some(last.version.next(number, &things, before, after, first_new))
    }

    /// None if something could not be read to its end, or is more than what these things hold.
    fn read_anew(&mut self, things: &[Thing], vm: Vm<'_>) -> Option<Snapshot> {
        let Some(Some(recall)) = &mut self.recall else { return None };
        let first_new = self.objects.len();
        let notes = Notes::new(&self.roots, &mut self.objects, &mut self.texts);
        let most = self.pace.most_references();
        let walked = visit::visit_new(things, most, recall, &mut self.classes, notes, vm);
        let Walked::All(after) = walked else { return None };
        if !recall.is_complete() || self.has_locals_since(first_new, vm).ok()? {
            return None;
        }
        // Of those before, this snapshot does not have all.
        let new = u32::try_from(first_new).ok()?..self.objects.not_judged().end;
        let after = self.freeze_new(after, new.clone(), vm);
        let Some(Some(recall)) = &mut self.recall else { return None };
        let frozen = new.filter_map(Thing::object);
        let frozen = frozen.filter(|thing| self.objects.below_frozen.contains(*thing));
        frozen.for_each(|thing| recall.memory_mut().forget_thing(thing));
        Some(after)
    }
}

/// What the thing is as one that has fields.
pub(super) fn holder(thing: Thing, objects: &Objects) -> Option<Holder> {
    match thing.class_index() {
        Some(class) => Some(Holder::Statics(class)),
        None => objects.class_of(thing).map(Holder::Object),
    }
}
