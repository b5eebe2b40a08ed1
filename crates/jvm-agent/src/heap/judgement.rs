//! Compares what was captured.

use surefoot_model::StateChange;
use surefoot_state::{Graph, Words};

use super::again::holder;
use super::camera::{Camera, Capture, KnownLocal, Vm};
use super::comparison;
use super::focus::{Focus, Known};
use super::links::Links;
use super::memory::Memory;
use super::picture::Scene;
use super::roots::Roots;
use super::snapshot::{Edge, Place, Snapshot, Thing};
use super::treatment::Treatment;
use super::version::Step;

/// What a picture needs beside the painter, which is a part of the camera, too.
macro_rules! scene {
    ($camera:ident, $vm:ident) => {
        Scene {
            classes: &mut $camera.classes,
            roots: &$camera.roots,
            objects: &$camera.objects,
            texts: &$camera.texts,
            threads: &$camera.thread_names,
            jvmti: $vm.jvmti,
            jni: $vm.jni,
        }
    };
}

/// What is remembered of the state after a step, and what was different before it.
struct Remembered<'a> {
    memory: &'a Memory,
    step: &'a Step,
    locals: &'a [KnownLocal],
}

impl Links for Remembered<'_> {
    fn for_each_holder(&self, of: Thing, tell: &mut dyn FnMut(Thing)) {
        self.memory.for_each_holder(of, tell);
        let locals = self.locals.iter().filter(|(_, _, value)| *value == Some(of));
        locals.for_each(|(key, ..)| tell(*key));
    }

    fn for_each_held(&self, by: Thing, tell: &mut dyn FnMut(Thing)) {
        self.memory.for_each_held(by, tell);
        let before = self.step.before.edges().iter().filter(|edge| edge.from == by);
        before.for_each(|edge| tell(edge.to));
        let locals = self.locals.iter().filter(|(key, ..)| *key == by);
        locals.for_each(|(.., value)| value.iter().for_each(|value| tell(*value)));
    }
}

impl Camera {
    pub(crate) fn compare(&mut self, before: &Capture, after: &Capture, vm: Vm<'_>) -> StateChange {
        if before.stage != after.stage {
            return self.compare_whole(before, after, vm);
        }
        if before.version.is(&after.version) {
            return StateChange::default();
        }
        if let Some(step) = after.version.step_from(&before.version)
            && self.recalled.as_ref().is_some_and(|last| last.version.is(&after.version))
        {
            return self.compare_step(before, after, step, vm);
        }
        let snapshots = [before.version.whole(), after.version.whole()];
        let [whole_before, whole_after] = snapshots.each_ref().map(AsRef::as_ref);
        if whole_before.is_same(whole_after) {
            return StateChange::default();
        }
        let focus = self.known(before, after).between(whole_before, whole_after);
        let Some(focus) = focus else { return StateChange::default() };
        let pictures = [(before, whole_before), (after, whole_after)];
        let change = self.compare_pictures(pictures, Some(&focus), vm);
        if change.differences.is_empty() && focus.shares_with_the_rest {
            return self.compare_pictures(pictures, None, vm);
        }
        change
    }

    /// The same where only what is different is known, beside what the objects around it hold.
    fn compare_step(
        &mut self,
        before: &Capture,
        after: &Capture,
        step: &Step,
        vm: Vm<'_>,
    ) -> StateChange {
        let (Some(Some(recall)), Some(last)) = (&self.recall, &self.recalled) else {
            return self.compare_whole(before, after, vm);
        };
        let remembered = Remembered { memory: recall.memory(), step, locals: &last.locals };
        let known = self.known(before, after);
        let changed = known.changed(&step.before, &step.after);
        if changed.is_empty() {
            return StateChange::default();
        }
        let focus = known.around(&changed, &remembered);
        drop(known);
        let [seen_before, seen_after] = self.seen_in(&focus, &remembered);
        let pictures = [(before, &seen_before), (after, &seen_after)];
        let change = self.compare_pictures(pictures, Some(&focus), vm);
        if change.differences.is_empty() && focus.shares_with_the_rest {
            return self.compare_whole(before, after, vm);
        }
        change
    }

    /// What is in focus, before the step and after it.
    fn seen_in(&self, focus: &Focus, remembered: &Remembered<'_>) -> [Snapshot; 2] {
        let Remembered { memory, step, locals } = remembered;
        let (mut both, mut only_after) = (Snapshot::default(), Snapshot::default());
        let mut changed: Vec<Thing> = step.before.holders().chain(step.after.holders()).collect();
        changed.sort_unstable();
        let things = focus.things();
        for thing in &things {
            let Some(holder) = holder(*thing, &self.objects) else { continue };
            let is_new = thing.class_index().is_none() && thing.number() >= step.first_new;
            let is_changed = is_new || changed.binary_search(thing).is_ok();
            memory.copy(*thing, holder, if is_changed { &mut only_after } else { &mut both });
        }
        for (key, thread, value) in locals.iter().filter(|(key, ..)| focus.shows(*key)) {
            if let Some(to) = *value {
                both.edge(Edge { from: *key, place: Place::Local(*thread), to });
            }
        }
        let mut before = step.before.clone();
        before.append(&both);
        only_after.append(&both);
        [before, only_after]
    }

    fn known(
        &self,
        before: &Capture,
        after: &Capture,
    ) -> Known<
        '_,
        impl Fn(Thing, Place) -> bool + '_,
        impl Fn(Thing) -> bool + '_,
        impl Fn(usize) -> bool + '_,
    > {
        let mut captured = vec![0_u8; self.classes.treatments().len()];
        for class in before.classes.iter().chain(&after.classes) {
            captured[*class] += 1;
        }
        Known {
            objects: &self.objects,
            classes: self.classes.treatments().len(),
            counts: move |thing: Thing, place| match (thing.class_index(), place) {
                (Some(class), Place::Static(field)) => {
                    captured[class] == 2 && self.roots.has(class, field)
                }
                // Of what was frozen since, the snapshot has what is also with the frozen objects.
                _ => !self.objects.below_frozen.contains(thing),
            },
            can_change: |thing| {
                let class = self.objects.class_of(thing);
                let treatment = class.and_then(|class| self.classes.treatments().get(class));
                treatment == Some(&Treatment::Walk) && !self.objects.below_frozen.contains(thing)
            },
            is_inside: |class| {
                let class = self.classes.get(class);
                class.is_some_and(|class| {
                    class.signature.trim_start_matches('[').starts_with("Ljava/")
                })
            },
        }
    }

    fn compare_whole(&mut self, before: &Capture, after: &Capture, vm: Vm<'_>) -> StateChange {
        let [whole_before, whole_after] = [before.version.whole(), after.version.whole()];
        self.compare_pictures([(before, &whole_before), (after, &whole_after)], None, vm)
    }

    fn compare_pictures(
        &mut self,
        [before, after]: [(&Capture, &Snapshot); 2],
        focus: Option<&Focus>,
        vm: Vm<'_>,
    ) -> StateChange {
        let pictures = self.draw(before, focus, vm).zip(self.draw(after, focus, vm));
        match pictures {
            Some((before, after)) => {
                let words = Words { names: &self.painter.names, texts: &self.texts };
                let mut change = comparison::change(&before, &after, words, &self.roots);
                // They are compared by what they run.
                change.differences.retain(|one| one.root != Roots::SHUTDOWN_HOOKS);
                change
            }
            None => StateChange { unclear: true, ..StateChange::default() },
        }
    }

    /// Of all of a state.
    pub(crate) fn picture(&mut self, capture: &Capture, vm: Vm<'_>) -> Option<Graph> {
        self.draw((capture, &capture.version.whole()), None, vm)
    }

    fn draw(
        &mut self,
        (capture, snapshot): (&Capture, &Snapshot),
        focus: Option<&Focus>,
        vm: Vm<'_>,
    ) -> Option<Graph> {
        let mut scene = scene!(self, vm);
        self.painter.picture(snapshot, &capture.classes, capture.stage, focus, &mut scene)
    }

    /// What constants are called is in fields that a look at a part of the state may not show.
    pub(super) fn name_constants(&mut self, snapshot: &Snapshot, vm: Vm<'_>) {
        let mut scene = scene!(self, vm);
        self.painter.name_constants(snapshot, &mut scene);
    }
}
