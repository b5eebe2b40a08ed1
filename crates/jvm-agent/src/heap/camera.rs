//! Captures the state, and compares what it captured.

use std::collections::{BTreeMap, BTreeSet, HashSet};
use std::ops::Range;
use std::path::PathBuf;
use std::time::Instant;

use jvmti_bindings::sys::jni::{jclass, jobject};
use surefoot_model::Observation;
use surefoot_state::Texts;

use super::classes::{Arrivals, Classes};
use super::include::Include;
use super::notes::{Again, Notes, Walked};
use super::origin::Origins;
use super::pace::{Pace, Way};
use super::picture::{Painter, Stage};
use super::recall::Recall;
use super::roots::{self, Roots};
use super::shutdown::ShutdownHooks;
use super::snapshot::{Held, Objects, Place, Primitive, Snapshot, Thing};
use super::threads::{Local, Threads};
use super::treatment::Treatment;
use super::version::Version;
use super::{follow, freeze, visit};
use crate::jni::Jni;
use crate::jvmti::{Jvmti, JvmtiError};

/// New classes and new constants can turn up again and again, but not for ever.
const ATTEMPTS: u32 = 4;

/// What is known of the VM from one capture to the next.
#[derive(Debug)]
pub(crate) struct Camera {
    project: PathBuf,
    pub(crate) classes: Classes,
    pub(crate) roots: Roots,
    pub(super) objects: Objects,
    pub(crate) texts: Texts,
    pub(crate) painter: Painter,
    origins: Option<Origins>,
    /// None until they are asked for; then none if this VM keeps them in another way.
    threads: Option<Option<Threads>>,
    /// Whose thread locals are state: those that no test started. What a test starts and leaves behind is told as a thread.
    pub(super) lasting_threads: BTreeSet<i64>,
    hooks: Option<Option<ShutdownHooks>>,
    /// Of threads with thread locals; the first one is the tests' own.
    pub(super) thread_names: Vec<String>,
    pub(crate) pace: Pace,
    /// None until it is needed; then none if this VM cannot do it.
    pub(super) recall: Option<Option<Recall>>,
    /// What the last capture saw, if all of it is recalled.
    pub(super) recalled: Option<Recalled>,
    /// How many versions of the state there were.
    versions: u64,
    /// By its index: a class whose static fields were captured.
    seen: Vec<bool>,
    /// References in the last capture.
    pub(super) references: usize,
    /// Signatures of classes that have no initialiser.
    pub(crate) without_initialiser: HashSet<String>,
}

/// Beside what the objects hold.
#[derive(Debug)]
pub(super) struct Recalled {
    pub(super) version: Version,
    pub(super) classes: Vec<usize>,
    pub(super) locals: Vec<KnownLocal>,
}

/// A thread local, the thread, and what it holds there.
pub(super) type KnownLocal = (Thing, u32, Option<Thing>);

/// A state, and the classes whose static fields it is of.
#[derive(Debug)]
pub(crate) struct Capture {
    pub(crate) version: Version,
    pub(crate) classes: Vec<usize>,
    pub(crate) stage: Stage,
}

/// Access to the VM in the thread of a test.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Vm<'a> {
    pub(crate) arrivals: &'a Arrivals,
    pub(crate) jvmti: Jvmti,
    pub(crate) jni: Jni,
}

impl Camera {
    pub(crate) fn new(observation: &Observation) -> Camera {
        Camera {
            project: std::env::current_dir().unwrap_or_default(),
            classes: Classes::default(),
            roots: Roots::new(Include::new(&observation.include_roots)),
            objects: Objects::default(),
            texts: Texts::new(),
            painter: Painter::new(),
            origins: None,
            threads: None,
            lasting_threads: BTreeSet::new(),
            hooks: None,
            thread_names: Vec::new(),
            pace: Pace::default(),
            recall: None,
            recalled: None,
            versions: 0,
            seen: Vec::new(),
            references: 0,
            without_initialiser: HashSet::new(),
        }
    }

    /// Shutdown hooks by what they run, and how many there are of each.
    pub(crate) fn shutdown_hooks(&mut self, vm: Vm<'_>) -> BTreeMap<String, usize> {
        let hooks = self.hooks.get_or_insert_with(|| ShutdownHooks::new(vm.jni));
        let Some(hooks) = hooks else { return BTreeMap::new() };
        let (origins, project) = (self.origins.as_ref(), &self.project);
        hooks.named(&self.roots, &self.classes, origins, project, vm.jvmti, vm.jni)
    }

    pub(crate) fn threads(&mut self, jni: Jni) -> Option<Threads> {
        *self.threads.get_or_insert_with(|| Threads::new(jni))
    }

    /// Nothing has set the static fields of the class when it is first used.
    pub(crate) fn starts_unset(&self, index: usize) -> bool {
        self.classes.get(index).is_some_and(|class| {
            self.without_initialiser.contains(&class.signature)
                || roots::starts_unset(&class.signature)
        })
    }

    /// The state of a class that has no initialiser before anybody changed it.
    pub(crate) fn untouched(&mut self, index: usize) -> Option<Capture> {
        if !self.starts_unset(index) {
            return None;
        }
        let by = Thing::class(u32::try_from(index).ok()?)?;
        let mut snapshot = Snapshot::default();
        for (field, root) in self.roots.of(index).filter(|(_, root)| !root.is_final()) {
            if let Some(value) = Primitive::initial(&root.signature) {
                snapshot.hold(Held { by, place: Place::Static(field), value });
            }
        }
        let version = Version::walked(self.next_number(), snapshot);
        Some(Capture { version, classes: vec![index], stage: Stage::Untouched })
    }

    pub(crate) fn catch_up(&mut self, vm: Vm<'_>) -> Result<(), JvmtiError> {
        let Vm { arrivals, jvmti, jni } = vm;
        let new = self.classes.catch_up(arrivals, jvmti, jni)?;
        if self.origins.is_none() {
            self.origins = Origins::new(jni);
        }
        if let Some(origins) = self.origins {
            self.roots.learn(new, &mut self.classes, &origins, &self.project, jvmti, jni);
        }
        Ok(())
    }

    pub(crate) fn capture(&mut self, vm: Vm<'_>) -> Result<Capture, JvmtiError> {
        self.catch_up(vm)?;
        let roots = self.roots.gather(&self.classes, vm.jvmti, vm.jni);
        let classes: Vec<usize> = roots.iter().map(|(index, _)| *index).collect();
        let version = match self.since_last(&classes, vm) {
            Some(version) => Ok(version),
            None => self.walk_all(&roots, &classes, vm),
        };
        roots.into_iter().for_each(|(_, class)| vm.jni.delete_local(class));
        Ok(Capture { version: version?, classes, stage: Stage::Initialised })
    }

    fn walk_all(
        &mut self,
        roots: &[(usize, jclass)],
        classes: &[usize],
        vm: Vm<'_>,
    ) -> Result<Version, JvmtiError> {
        let snapshot = self.settled(roots, true, vm);
        let is_recalled = self.end_recall(vm);
        let snapshot = self.freeze(snapshot?, classes, vm);
        self.name_constants(&snapshot, vm);
        let version = Version::walked(self.next_number(), snapshot);
        if let (true, Some(Some(recall))) = (is_recalled, &mut self.recall) {
            let frozen = &self.objects.below_frozen;
            recall.memory_mut().forget_all_but(|thing| !frozen.contains(thing));
            let (version, classes) = (version.clone(), classes.to_vec());
            let locals = self.known_locals(vm)?;
            self.recalled = Some(Recalled { version, classes, locals });
        }
        Ok(version)
    }

    pub(super) fn next_number(&mut self) -> u64 {
        self.versions += 1;
        self.versions
    }

    pub(super) fn end_recall(&mut self, vm: Vm<'_>) -> bool {
        let recall = self.recall.as_mut().and_then(Option::as_mut);
        recall.is_some_and(|recall| recall.end(vm.jni))
    }

    pub(super) fn known_locals(&mut self, vm: Vm<'_>) -> Result<Vec<KnownLocal>, JvmtiError> {
        let locals = self.locals(vm)?.into_iter().map(|local| {
            let value = vm.jvmti.tag(local.value).and_then(Thing::from_tag);
            vm.jni.delete_local(local.value);
            (local.key, local.thread, value)
        });
        Ok(locals.collect())
    }

    pub(crate) fn capture_class(
        &mut self,
        index: usize,
        class: jclass,
        vm: Vm<'_>,
    ) -> Result<Capture, JvmtiError> {
        let snapshot = self.settled(&[(index, class)], false, vm)?;
        let snapshot = self.freeze(snapshot, &[index], vm);
        let version = Version::walked(self.next_number(), snapshot);
        Ok(Capture { version, classes: vec![index], stage: Stage::Initialised })
    }

    /// What can never change is not looked at again.
    fn freeze(&mut self, snapshot: Snapshot, classes: &[usize], vm: Vm<'_>) -> Snapshot {
        let new = self.objects.not_judged();
        self.seen.resize(self.classes.treatments().len(), false);
        if new.is_empty() && classes.iter().all(|class| self.seen[*class]) {
            return snapshot;
        }
        let snapshot = self.freeze_new(snapshot, new, vm);
        let objects = &self.objects;
        let treatments = self.classes.treatments();
        // What a class held when it was first seen decides; later objects do not make it settle.
        let is_new = |thing: Thing| thing.class_index().is_some_and(|class| !self.seen[class]);
        let held = snapshot.held().iter().filter(|held| is_new(held.by));
        let held = held.map(|held| (held.by, held.place));
        let led = snapshot.edges().iter().filter(|edge| {
            if !matches!(edge.place, Place::Static(_)) || !is_new(edge.from) {
                return false;
            }
            // An enum constant is state where it is declared.
            let own = objects.class_of(edge.to) == edge.from.class_index();
            let is_value = is_value(objects, treatments, edge.to) && !own;
            is_value || edge.to.class_index().is_some() || objects.below_frozen.contains(edge.to)
        });
        let settled = held.chain(led.map(|edge| (edge.from, edge.place)));
        let settled = settled.filter_map(|(from, place)| match place {
            Place::Static(field) => Some((from.class_index()?, field)),
            Place::Field(_) | Place::Element(_) | Place::Local(_) => None,
        });
        let any_settled = self.roots.settle(settled);
        for class in classes {
            self.seen[*class] = true;
        }
        if !any_settled {
            return snapshot;
        }
        snapshot.without(|from, place| match (from.class_index(), place) {
            (Some(class), Place::Static(field)) => !self.roots.has(class, field),
            _ => false,
        })
    }

    /// Of the objects with these numbers, all of which the snapshot has.
    pub(super) fn freeze_new(
        &mut self,
        snapshot: Snapshot,
        new: Range<u32>,
        Vm { jvmti, jni, .. }: Vm<'_>,
    ) -> Snapshot {
        let treatments = self.classes.treatments().to_vec();
        let is_value = |objects: &Objects, thing: Thing| is_value(objects, &treatments, thing);
        let may_freeze = |class| self.classes.is_final_throughout(jvmti, jni, class);
        freeze::freeze(snapshot, &mut self.objects, new, may_freeze, is_value)
    }

    /// What the thread locals hold that a walk has met, in this thread and in those that last.
    fn locals(&mut self, vm: Vm<'_>) -> Result<Vec<Local>, JvmtiError> {
        let Some(threads) = self.threads(vm.jni) else { return Ok(Vec::new()) };
        threads.locals(&self.lasting_threads, &mut self.thread_names, vm.jvmti, vm.jni)
    }

    pub(super) fn has_locals_since(
        &mut self,
        first_new: usize,
        vm: Vm<'_>,
    ) -> Result<bool, JvmtiError> {
        if self.objects.len() == first_new {
            return Ok(false);
        }
        let locals = self.locals(vm)?;
        locals.iter().for_each(|local| vm.jni.delete_local(local.value));
        Ok(locals.iter().any(|local| local.key.number() as usize >= first_new))
    }

    /// Walks until everything that is met is known. `recalls`: what has not changed since the last time is not read again.
    fn settled(
        &mut self,
        roots: &[(usize, jclass)],
        recalls: bool,
        vm: Vm<'_>,
    ) -> Result<Snapshot, JvmtiError> {
        for _ in 0..ATTEMPTS {
            let first_new = self.objects.len();
            let locals = self.locals(vm)?;
            let walked = self.walk(roots, &locals, recalls, vm);
            locals.into_iter().for_each(|local| vm.jni.delete_local(local.value));
            match walked? {
                // A thread local that was not known to be one of the program's own is the next time.
                Walked::All(_) if self.has_locals_since(first_new, vm)? => {}
                Walked::All(snapshot) => return Ok(snapshot),
                Walked::Again(Again::Strangers) => self.classes.learn_loaded(vm.jvmti, vm.jni)?,
                Walked::Again(Again::Misread) => {}
                Walked::Again(Again::TooLarge) => self.references = usize::MAX,
            }
        }
        Err(JvmtiError::UNSETTLED)
    }

    fn walk(
        &mut self,
        roots: &[(usize, jclass)],
        locals: &[Local],
        recalls: bool,
        vm: Vm<'_>,
    ) -> Result<Walked, JvmtiError> {
        let Vm { jvmti, jni, .. } = vm;
        let started = Instant::now();
        let mut recall = self.recall.as_mut().and_then(Option::as_mut).filter(|_| recalls);
        let is_first = recall.as_ref().is_none_or(|recall| recall.memory().records().is_empty());
        let way = self.pace.way(self.references);
        let notes = Notes::new(&self.roots, &mut self.objects, &mut self.texts);
        let walked = match way {
            Way::Visit => {
                let most = self.pace.most_references();
                visit::visit(roots, locals, most, recall, &mut self.classes, notes, vm)
            }
            Way::Follow => {
                recall.iter_mut().for_each(|recall| recall.give_up());
                let mut notes = notes;
                let mut from: Vec<jobject> = roots.iter().map(|(_, class)| *class).collect();
                from.extend(follow::enter(locals, &mut self.classes, &mut notes, jvmti, jni));
                let treatments = self.classes.treatments();
                let known = self.classes.class_of_classes();
                follow_from(&from, jvmti, jni, |from| {
                    follow::follow(jvmti, from, treatments, known, notes)
                })?
            }
        };
        if let Walked::All(snapshot) = &walked {
            self.references = snapshot.edges().len();
            // What is recalled would make reading look quicker than it is.
            if is_first {
                self.pace.walked(way, self.references, started.elapsed());
            }
        }
        Ok(walked)
    }
}

fn is_value(objects: &Objects, treatments: &[Treatment], thing: Thing) -> bool {
    let treatment = objects.class_of(thing).and_then(|class| treatments.get(class));
    treatment.is_some_and(|treatment| *treatment != Treatment::Walk)
}

/// The VM's own walker starts from one object: an array of all that it is to start from.
fn follow_from(
    objects: &[jobject],
    jvmti: Jvmti,
    jni: Jni,
    follow: impl FnOnce(jobject) -> Result<Walked, JvmtiError>,
) -> Result<Walked, JvmtiError> {
    let from = jni.new_objects(objects).ok_or(JvmtiError::UNSETTLED)?;
    let walked = jvmti.set_tag(from, Thing::ROOTS.tag()).and_then(|()| follow(from));
    jni.delete_local(from);
    walked
}
