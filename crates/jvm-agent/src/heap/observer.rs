//! Compares the state before and after each test.

use std::collections::{BTreeMap, HashMap, HashSet};
use std::path::PathBuf;
use std::time::{Duration, Instant};

use jvmti_bindings::sys::jni::{jclass, jobject};
use surefoot_files::Files;
use surefoot_model::{Observation, StateChange};
use surefoot_process::{Process, listening};
use surefoot_state::{Graph, Texts, Words};

use super::classes::{Arrivals, Classes};
use super::comparison;
use super::dump;
use super::focus::{Focus, Known};
use super::include::Include;
use super::keep::Keeper;
use super::notes::{Again, Notes, Walked};
use super::origin::Origins;
use super::pace::{Pace, Way};
use super::picture::{Painter, Scene, Stage};
use super::roots::{self, Roots};
use super::snapshot::{Held, Objects, Place, Primitive, Snapshot, Thing};
use super::threads::{Local, Threads};
use super::treatment::Treatment;
use super::{follow, freeze, visit};
use crate::jni::Jni;
use crate::jvmti::{Jvmti, JvmtiError};

/// New classes and new constants can turn up again and again, but not for ever.
const ATTEMPTS: u32 = 4;

/// Between two looks at threads that may be about to end.
const PAUSE: Duration = Duration::from_millis(5);

#[derive(Debug)]
pub(crate) struct Observer {
    project: PathBuf,
    classes: Classes,
    roots: Roots,
    objects: Objects,
    texts: Texts,
    painter: Painter,
    origins: Option<Origins>,
    /// None until they are asked for; then none if this VM keeps them in another way.
    threads: Option<Option<Threads>>,
    /// Of threads with thread locals; the first one is the tests' own.
    thread_names: Vec<String>,
    /// The state when it was last looked at, and the class of the test that had just ended.
    last: Option<(Capture, Option<String>)>,
    /// The state of classes right after their initialisers, for those that were initialised since.
    initial: HashMap<usize, Capture>,
    pace: Pace,
    /// So many times what the tests take without it, looking may take in all.
    overhead: f64,
    /// When the first test began.
    began: Option<Instant>,
    /// Tests that ended since the state was last looked at.
    unseen: u32,
    /// References in the last capture.
    references: usize,
    /// Signatures of classes that have no initialiser.
    without_initialiser: HashSet<String>,
    /// Looked at whenever the heap is.
    files: Option<Files>,
    /// Where states are written to for people to read.
    dump: Option<PathBuf>,
    /// At the last look.
    process: Process,
    /// How long a thread may take to end after its test.
    patience: Duration,
    /// What is to be put back after each test.
    keeper: Option<Keeper>,
    /// Since the last look, tests share another object.
    shares_another: bool,
}

/// A state, and the classes whose static fields it is of.
#[derive(Debug)]
struct Capture {
    snapshot: Snapshot,
    classes: Vec<usize>,
    stage: Stage,
}

/// What changed, and in how many tests: the one that has just ended and those before it.
#[derive(Debug)]
pub(crate) struct Seen {
    pub(crate) change: StateChange,
    pub(crate) tests: u32,
}

/// Access to the VM in the thread of a test.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Vm<'a> {
    pub(crate) arrivals: &'a Arrivals,
    pub(crate) jvmti: Jvmti,
    pub(crate) jni: Jni,
}

impl Observer {
    pub(crate) fn new(
        observation: &Observation,
        files: Option<Files>,
        patience: Duration,
    ) -> Observer {
        Observer {
            project: std::env::current_dir().unwrap_or_default(),
            classes: Classes::default(),
            roots: Roots::new(Include::new(&observation.include_roots)),
            objects: Objects::default(),
            texts: Texts::new(),
            painter: Painter::new(),
            origins: None,
            threads: None,
            thread_names: Vec::new(),
            last: None,
            initial: HashMap::new(),
            pace: Pace::default(),
            overhead: observation.overhead.unwrap_or(f64::INFINITY),
            began: None,
            unseen: 0,
            references: 0,
            without_initialiser: HashSet::new(),
            files,
            dump: observation.dump.as_ref().map(PathBuf::from),
            process: Process::default(),
            patience,
            keeper: Keeper::new(&observation.keep),
            shares_another: false,
        }
    }

    pub(crate) fn know_without_initialiser(
        &mut self,
        signatures: impl IntoIterator<Item = String>,
    ) {
        self.without_initialiser.extend(signatures);
    }

    /// The tests that come share an object of this class; none if they share none.
    pub(crate) fn tests_share(&mut self, class: Option<&str>) {
        self.roots.name_shared(class.unwrap_or_default());
        self.shares_another = true;
    }

    /// Takes out what two objects have not in common.
    fn without_another(&mut self, change: &mut StateChange) {
        if std::mem::take(&mut self.shares_another) {
            change.differences.retain(|difference| difference.root != self.roots.shared());
        }
    }

    /// A test of this class starts. What code around the tests changed since the last one, if it was looked at.
    pub(crate) fn before(
        &mut self,
        class: &str,
        vm: Vm<'_>,
    ) -> Result<Option<StateChange>, JvmtiError> {
        self.initial.clear();
        let is_first = self.began.is_none();
        let began = *self.began.get_or_insert_with(Instant::now);
        if let Some((_, of)) = &self.last {
            // Between two tests of a class nothing but the framework runs. And what tests did that nobody looked at cannot be
            // told from what was done around them.
            let is_next = of.as_deref() == Some(class) && !self.shares_another;
            let nothing_to_see = is_next || self.unseen > 0;
            if nothing_to_see || !self.pace.affords(self.overhead, began.elapsed()) {
                return Ok(None);
            }
        }
        let started = Instant::now();
        let capture = self.capture(vm)?;
        let before = self.last.take().map(|(capture, _)| capture);
        let mut change = before.map(|before| self.compare(&before, &capture, vm));
        let process = self.process_now(vm)?;
        if let Some(change) = &mut change {
            self.without_another(change);
            change.differences.extend(process.since(&self.process));
        }
        self.shares_another = false;
        self.process = process;
        match (&mut self.files, &mut change) {
            (Some(files), Some(change)) => change.append(files.look()),
            (Some(files), None) if is_first => files.leave_to_others(),
            (Some(files), None) => files.forget(),
            (None, _) => {}
        }
        self.write_down(&capture, "before.txt", vm);
        self.remember(&capture.classes, vm);
        self.last = Some((capture, None));
        self.pace.looked(started.elapsed());
        Ok(change)
    }

    /// A test of this class has ended. None if its beginning was not looked at, or if looking now would take too long.
    pub(crate) fn after(&mut self, class: &str, vm: Vm<'_>) -> Result<Option<Seen>, JvmtiError> {
        self.unseen += 1;
        let elapsed = self.began.map_or(Duration::ZERO, |began| began.elapsed());
        if self.last.is_some() && !self.pace.affords(self.overhead, elapsed) {
            return Ok(None);
        }
        let tests = std::mem::take(&mut self.unseen);
        let Some((before, _)) = self.last.take() else { return Ok(None) };
        let started = Instant::now();
        let after = self.capture(vm)?;
        let mut change = self.compare(&before, &after, vm);
        let known: HashSet<usize> = before.classes.iter().copied().collect();
        for class in after.classes.iter().filter(|class| !known.contains(class)) {
            change.append(self.since_initialised(*class, vm)?);
        }
        self.without_another(&mut change);
        let process = self.process_at_rest(vm)?;
        change.differences.extend(process.since(&self.process));
        self.process = process;
        if let Some(files) = &mut self.files {
            change.append(files.look());
        }
        self.write_down(&after, "after.txt", vm);
        self.put_back(&after.classes, vm);
        self.last = Some((after, Some(class.to_owned())));
        if self.keeper.is_some() {
            // What was put back is no change that anybody made.
            self.lose_track();
        }
        self.pace.looked(started.elapsed());
        Ok(Some(Seen { change, tests }))
    }

    fn process_now(&mut self, vm: Vm<'_>) -> Result<Process, JvmtiError> {
        let threads = match self.threads(vm.jni) {
            Some(threads) => threads.names(vm.jvmti, vm.jni)?,
            None => BTreeMap::new(),
        };
        Ok(Process { threads, sockets: listening() })
    }

    /// A thread that a test told to end may take a moment to do so.
    fn process_at_rest(&mut self, vm: Vm<'_>) -> Result<Process, JvmtiError> {
        let until = Instant::now() + self.patience;
        loop {
            let process = self.process_now(vm)?;
            let more = process.threads.keys().any(|id| !self.process.threads.contains_key(id));
            if !more || Instant::now() >= until {
                return Ok(process);
            }
            std::thread::sleep(PAUSE);
        }
    }

    fn threads(&mut self, jni: Jni) -> Option<Threads> {
        *self.threads.get_or_insert_with(|| Threads::new(jni))
    }

    /// The initialiser of a class has ended, in a test.
    pub(crate) fn initialised(&mut self, class: jclass, vm: Vm<'_>) -> Result<(), JvmtiError> {
        self.catch_up(vm)?;
        let index = vm.jvmti.tag(class).and_then(Thing::from_tag).and_then(Thing::class_index);
        if let Some(index) = index.filter(|index| self.roots.of(*index).next().is_some()) {
            let capture = self.capture_class(index, class, vm)?;
            self.remember(&capture.classes, vm);
            self.initial.insert(index, capture);
        }
        Ok(())
    }

    /// What happens cannot be put down to one test.
    pub(crate) fn lose_track(&mut self) {
        self.last = None;
        self.unseen = 0;
    }

    /// What is to be put back later, of classes that were just captured.
    fn remember(&mut self, classes: &[usize], vm: Vm<'_>) {
        let Some(keeper) = &mut self.keeper else { return };
        for index in classes {
            if let Some(class) = self.classes.local(vm.jni, *index) {
                keeper.remember(*index, class, &self.roots, &mut self.classes, vm);
                vm.jni.delete_local(class);
            }
        }
    }

    fn put_back(&mut self, classes: &[usize], vm: Vm<'_>) {
        let unset: Vec<usize> =
            classes.iter().copied().filter(|index| self.starts_unset(*index)).collect();
        let Some(keeper) = &mut self.keeper else { return };
        for index in unset {
            keeper.remember_unset(index, &self.roots);
        }
        keeper.put_back(&self.roots, &self.classes, vm);
    }

    /// Nothing has set the static fields of the class when it is first used.
    fn starts_unset(&self, index: usize) -> bool {
        self.classes.get(index).is_some_and(|class| {
            self.without_initialiser.contains(&class.signature)
                || roots::starts_unset(&class.signature)
        })
    }

    /// What changed in a class that was initialised in the test.
    fn since_initialised(&mut self, index: usize, vm: Vm<'_>) -> Result<StateChange, JvmtiError> {
        let before = match self.initial.remove(&index) {
            Some(capture) => Some(capture),
            None => self.untouched(index),
        };
        let (Some(before), Some(class)) = (before, self.classes.local(vm.jni, index)) else {
            return Ok(StateChange::default());
        };
        let after = self.capture_class(index, class, vm);
        vm.jni.delete_local(class);
        Ok(self.compare(&before, &after?, vm))
    }

    /// The state of a class that has no initialiser before anybody changed it.
    fn untouched(&self, index: usize) -> Option<Capture> {
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
        Some(Capture { snapshot, classes: vec![index], stage: Stage::Untouched })
    }

    fn catch_up(&mut self, vm: Vm<'_>) -> Result<(), JvmtiError> {
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

    fn capture(&mut self, vm: Vm<'_>) -> Result<Capture, JvmtiError> {
        self.catch_up(vm)?;
        let roots = self.roots.gather(&self.classes, vm.jvmti, vm.jni);
        let snapshot = self.settled(&roots, vm);
        roots.iter().for_each(|(_, class)| vm.jni.delete_local(*class));
        let classes: Vec<usize> = roots.into_iter().map(|(index, _)| index).collect();
        let snapshot = self.freeze(snapshot?, vm);
        Ok(Capture { snapshot, classes, stage: Stage::Initialised })
    }

    fn capture_class(
        &mut self,
        index: usize,
        class: jclass,
        vm: Vm<'_>,
    ) -> Result<Capture, JvmtiError> {
        let snapshot = self.settled(&[(index, class)], vm)?;
        let snapshot = self.freeze(snapshot, vm);
        Ok(Capture { snapshot, classes: vec![index], stage: Stage::Initialised })
    }

    /// What can never change is not looked at again.
    fn freeze(&mut self, snapshot: Snapshot, vm: Vm<'_>) -> Snapshot {
        let Vm { jvmti, jni, .. } = vm;
        let new = self.objects.not_judged();
        if new.is_empty() {
            return snapshot;
        }
        let treatments = self.classes.treatments().to_vec();
        let treatment = |objects: &Objects, thing: Thing| {
            objects.class_of(thing).and_then(|class| treatments.get(class).copied())
        };
        let is_value = |objects: &Objects, thing: Thing| {
            treatment(objects, thing).is_some_and(|treatment| treatment != Treatment::Walk)
        };
        let may_freeze = |class| self.classes.is_final_throughout(jvmti, jni, class);
        let snapshot = freeze::freeze(snapshot, &mut self.objects, new, may_freeze, is_value);
        let objects = &self.objects;
        let held = snapshot.held().iter().map(|held| (held.by, held.place));
        let led = snapshot.edges().iter().filter(|edge| {
            if !matches!(edge.place, Place::Static(_)) {
                return false;
            }
            // An enum constant is state where it is declared.
            let own = objects.class_of(edge.to) == edge.from.class_index();
            let is_value = is_value(objects, edge.to) && !own;
            is_value || edge.to.class_index().is_some() || objects.below_frozen.contains(edge.to)
        });
        let settled = held.chain(led.map(|edge| (edge.from, edge.place)));
        let settled = settled.filter_map(|(from, place)| match place {
            Place::Static(field) => Some((from.class_index()?, field)),
            Place::Field(_) | Place::Element(_) | Place::Local(_) => None,
        });
        self.roots.settle(settled);
        snapshot.without(|from, place| match (from.class_index(), place) {
            (Some(class), Place::Static(field)) => !self.roots.has(class, field),
            _ => false,
        })
    }

    /// What the thread locals hold that a walk has met, in all threads that are alive.
    fn locals(&mut self, vm: Vm<'_>) -> Result<Vec<Local>, JvmtiError> {
        let Some(threads) = self.threads(vm.jni) else { return Ok(Vec::new()) };
        threads.locals(&mut self.thread_names, vm.jvmti, vm.jni)
    }

    fn has_locals_since(&mut self, first_new: usize, vm: Vm<'_>) -> Result<bool, JvmtiError> {
        if self.objects.len() == first_new {
            return Ok(false);
        }
        let locals = self.locals(vm)?;
        locals.iter().for_each(|local| vm.jni.delete_local(local.value));
        Ok(locals.iter().any(|local| local.key.number() as usize >= first_new))
    }

    /// Walks until everything that is met is known.
    fn settled(&mut self, roots: &[(usize, jclass)], vm: Vm<'_>) -> Result<Snapshot, JvmtiError> {
        for _ in 0..ATTEMPTS {
            let first_new = self.objects.len();
            let locals = self.locals(vm)?;
            let walked = self.walk(roots, &locals, vm);
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
        vm: Vm<'_>,
    ) -> Result<Walked, JvmtiError> {
        let Vm { jvmti, jni, .. } = vm;
        let started = Instant::now();
        let way = self.pace.way(self.references);
        let notes = Notes::new(&self.roots, &mut self.objects, &mut self.texts);
        let walked = match way {
            Way::Visit => {
                let most = self.pace.most_references();
                visit::visit(roots, locals, most, &mut self.classes, notes, jvmti, jni)
            }
            Way::Follow => {
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
            self.pace.walked(way, self.references, started.elapsed());
        }
        Ok(walked)
    }

    fn compare(&mut self, before: &Capture, after: &Capture, vm: Vm<'_>) -> StateChange {
        if before.stage != after.stage {
            return self.compare_pictures(before, after, None, vm);
        }
        if before.snapshot.is_same(&after.snapshot) {
            return StateChange::default();
        }
        let Some(focus) = self.focus(before, after) else { return StateChange::default() };
        let change = self.compare_pictures(before, after, Some(&focus), vm);
        if change.differences.is_empty() && focus.shares_with_the_rest {
            return self.compare_pictures(before, after, None, vm);
        }
        change
    }

    fn focus(&self, before: &Capture, after: &Capture) -> Option<Focus> {
        let known: HashSet<usize> = before.classes.iter().copied().collect();
        let common: HashSet<usize> =
            after.classes.iter().copied().filter(|class| known.contains(class)).collect();
        let known = Known {
            objects: &self.objects,
            classes: self.classes.treatments().len(),
            counts: |thing: Thing, place| match (thing.class_index(), place) {
                (Some(class), Place::Static(field)) => {
                    common.contains(&class) && self.roots.has(class, field)
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
        };
        Focus::between(&before.snapshot, &after.snapshot, &known)
    }

    fn compare_pictures(
        &mut self,
        before: &Capture,
        after: &Capture,
        focus: Option<&Focus>,
        vm: Vm<'_>,
    ) -> StateChange {
        let pictures = self.picture(before, focus, vm).zip(self.picture(after, focus, vm));
        match pictures {
            Some((before, after)) => {
                let words = Words { names: &self.painter.names, texts: &self.texts };
                comparison::change(&before, &after, words, &self.roots)
            }
            None => StateChange { unclear: true, ..StateChange::default() },
        }
    }

    fn picture(&mut self, capture: &Capture, focus: Option<&Focus>, vm: Vm<'_>) -> Option<Graph> {
        let mut scene = Scene {
            classes: &mut self.classes,
            roots: &self.roots,
            objects: &self.objects,
            texts: &self.texts,
            threads: &self.thread_names,
            jvmti: vm.jvmti,
            jni: vm.jni,
        };
        let Capture { snapshot, classes, stage } = capture;
        self.painter.picture(snapshot, classes, *stage, focus, &mut scene)
    }

    /// If that is wanted. Who wants it sees if it is not there.
    fn write_down(&mut self, capture: &Capture, name: &str, vm: Vm<'_>) {
        let Some(directory) = self.dump.clone() else { return };
        if let Some(graph) = self.picture(capture, None, vm) {
            let words = Words { names: &self.painter.names, texts: &self.texts };
            let _ = dump::write(&directory.join(name), &graph, words);
        }
    }
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
