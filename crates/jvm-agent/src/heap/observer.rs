//! Compares the state before and after each test.

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};
use std::path::PathBuf;
use std::sync::Arc;
use std::time::{Duration, Instant};

use jvmti_bindings::sys::jni::jclass;
use surefoot_files::Files;
use surefoot_model::{Observation, StateChange};
use surefoot_process::{Process, listening};
use surefoot_state::Words;

use super::camera::{Camera, Capture, Vm};
use super::dump;
use super::keep::Keeper;
use super::snapshot::Thing;
use super::undo::Undo;
use crate::agent::this_thread;
use crate::jvmti::JvmtiError;

/// Between two looks at threads that may be about to end.
const PAUSE: Duration = Duration::from_millis(5);

#[derive(Debug)]
pub(crate) struct Observer {
    camera: Camera,
    /// The state when it was last looked at, and the class of the test that had just ended.
    last: Option<(Arc<Capture>, Option<String>)>,
    /// The state of classes right after their initialisers, for those that were initialised since.
    initial: HashMap<usize, Capture>,
    /// So many times what the tests take without it, looking may take in all.
    overhead: f64,
    /// When the first test began, or the class-level set-up before it.
    began: Option<Instant>,
    /// The first test has begun.
    has_tests: bool,
    /// Tests that ended since the state was last looked at.
    unseen: u32,
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
    /// What is to be put back before another test.
    undo: Option<Undo>,
    /// Since the last look, tests share another object.
    shares_another: bool,
    class: Option<ClassScope>,
    /// The last look was when a class had ended.
    between_classes: bool,
}

/// A class that is under way.
#[derive(Debug)]
struct ClassScope {
    class: String,
    thread: u64,
    /// Before its class-level set-up.
    before: Arc<Capture>,
    process: Process,
    /// The state of classes right after their initialisers, for those that were initialised in the set-up.
    initial: BTreeMap<usize, Capture>,
    /// What its tests changed: that is not its set-up's.
    by_tests: BTreeSet<String>,
    /// What is by tests and what is not cannot be told any more.
    lost: bool,
}

/// What changed, and in how many tests: the one that has just ended and those before it.
#[derive(Debug)]
pub(crate) struct Seen {
    pub(crate) change: StateChange,
    pub(crate) tests: u32,
}

impl Observer {
    pub(crate) fn new(
        observation: &Observation,
        files: Option<Files>,
        patience: Duration,
    ) -> Observer {
        Observer {
            camera: Camera::new(observation),
            last: None,
            initial: HashMap::new(),
            overhead: observation.overhead.unwrap_or(f64::INFINITY),
            began: None,
            has_tests: false,
            unseen: 0,
            files,
            dump: observation.dump.as_ref().map(PathBuf::from),
            process: Process::default(),
            patience,
            keeper: Keeper::new(&observation.keep),
            undo: observation.undo.then(Undo::default),
            shares_another: false,
            class: None,
            between_classes: false,
        }
    }

    pub(crate) fn know_without_initialiser(
        &mut self,
        signatures: impl IntoIterator<Item = String>,
    ) {
        self.camera.without_initialiser.extend(signatures);
    }

    /// The tests that come share an object of this class; none if they share none.
    pub(crate) fn tests_share(&mut self, class: Option<&str>) {
        self.camera.roots.name_shared(class.unwrap_or_default());
        self.shares_another = true;
    }

    /// Takes out what two objects have not in common.
    fn without_another(&mut self, change: &mut StateChange) {
        if std::mem::take(&mut self.shares_another) {
            change.differences.retain(|difference| difference.root != self.camera.roots.shared());
        }
    }

    /// A test is about to start that may be another one than the last; none: another one does.
    pub(crate) fn another(&mut self, test: Option<&str>, vm: Vm<'_>) {
        let Some(undo) = &mut self.undo else { return };
        if undo.is_due(test.unwrap_or_default()) {
            undo.put_back(&self.camera.roots, &self.camera.classes, vm);
            // That is no change that anybody made.
            self.last = None;
            self.unseen = 0;
        }
        if let Some(test) = test {
            undo.begin(test, &self.camera.roots, &self.camera.classes, vm);
        }
    }

    /// What the test that was just looked at changed is put back before another one.
    pub(crate) fn will_undo(&mut self, change: &mut StateChange) {
        if let Some(undo) = &mut self.undo {
            undo.note(change, &self.camera.roots);
        }
    }

    /// A test of this class starts. What code around the tests changed since the last one, if it was looked at.
    pub(crate) fn before(
        &mut self,
        class: &str,
        vm: Vm<'_>,
    ) -> Result<Option<StateChange>, JvmtiError> {
        self.initial.clear();
        let is_first = !std::mem::replace(&mut self.has_tests, true);
        let elapsed = self.elapsed();
        if let (false, Some((_, of))) = (is_first, &self.last) {
            // Between two tests of a class nothing but the framework runs. And what tests did that nobody looked at cannot be
            // told from what was done around them.
            let is_next = of.as_deref() == Some(class) && !self.shares_another;
            let nothing_to_see = is_next || self.unseen > 0;
            if let (false, Some(class)) = (is_next, &mut self.class) {
                class.lost |= nothing_to_see;
            }
            if nothing_to_see || !self.camera.pace.affords(self.overhead, elapsed) {
                return Ok(None);
            }
        }
        let started = Instant::now();
        self.keep_new_threads(vm)?;
        let capture = self.camera.capture(vm)?;
        let before = self.last.take().map(|(capture, _)| capture);
        let mut change = before.map(|before| self.camera.compare(&before, &capture, vm));
        let process = self.process_now(vm)?;
        if let Some(change) = &mut change {
            self.without_another(change);
            change.differences.extend(process.since(&self.process));
        }
        self.shares_another = false;
        self.process = process;
        match (&mut self.files, &mut change) {
            (Some(files), _) if is_first => files.leave_to_others(),
            (Some(files), Some(change)) => change.append(files.look()),
            (Some(files), None) => files.forget(),
            (None, _) => {}
        }
        self.write_down(&capture, "before.txt", vm);
        self.remember(&capture.classes, vm);
        self.last = Some((Arc::new(capture), None));
        self.between_classes = false;
        self.camera.pace.looked(started.elapsed());
        Ok(change)
    }

    /// A test has come to the point from which on its changes count.
    pub(crate) fn begin(&mut self, vm: Vm<'_>) -> Result<(), JvmtiError> {
        self.initial.clear();
        self.keep_new_threads(vm)?;
        let capture = self.camera.capture(vm)?;
        self.process = self.process_now(vm)?;
        if let Some(files) = &mut self.files {
            files.forget();
        }
        self.write_down(&capture, "before.txt", vm);
        self.shares_another = false;
        self.last = Some((Arc::new(capture), None));
        Ok(())
    }

    /// Classes that were initialised until now are part of the state that was last looked at.
    pub(crate) fn forget_initial(&mut self) {
        self.initial.clear();
    }

    /// A test of this class has ended. None if its beginning was not looked at, or if looking now would take too long.
    pub(crate) fn after(&mut self, class: &str, vm: Vm<'_>) -> Result<Option<Seen>, JvmtiError> {
        self.unseen += 1;
        let elapsed = self.elapsed();
        if self.last.is_some() && !self.camera.pace.affords(self.overhead, elapsed) {
            return Ok(None);
        }
        self.between_classes = false;
        let tests = std::mem::take(&mut self.unseen);
        let Some((before, _)) = self.last.take() else { return Ok(None) };
        let started = Instant::now();
        let after = self.camera.capture(vm)?;
        let mut change = self.camera.compare(&before, &after, vm);
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
        if let Some(class) = &mut self.class {
            class.by_tests.extend(change.differences.iter().map(|one| one.path.clone()));
        }
        self.last = Some((Arc::new(after), Some(class.to_owned())));
        if self.keeper.is_some() {
            // What was put back is no change that anybody made.
            self.lose_track();
        }
        self.camera.pace.looked(started.elapsed());
        Ok(Some(Seen { change, tests }))
    }

    /// Since the tests and what is around them began: now, if this is it.
    fn elapsed(&mut self) -> Duration {
        self.began.get_or_insert_with(Instant::now).elapsed()
    }

    /// While no test runs: threads that are new are no test's, and what their thread locals hold is state.
    fn keep_new_threads(&mut self, vm: Vm<'_>) -> Result<(), JvmtiError> {
        let threads = self.threads_now(vm)?;
        let new = threads.into_keys().filter(|id| !self.process.threads.contains_key(id));
        self.camera.lasting_threads.extend(new);
        Ok(())
    }

    fn threads_now(&mut self, vm: Vm<'_>) -> Result<BTreeMap<i64, String>, JvmtiError> {
        let threads = self.camera.threads(vm.jni);
        threads.map_or_else(|| Ok(BTreeMap::new()), |threads| threads.names(vm.jvmti, vm.jni))
    }

    fn process_now(&mut self, vm: Vm<'_>) -> Result<Process, JvmtiError> {
        let threads = self.threads_now(vm)?;
        let hooks = self.camera.shutdown_hooks(vm);
        Ok(Process { threads, sockets: listening(), hooks })
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

    /// The initialiser of a class has ended, in a test or in class-level set-up.
    pub(crate) fn initialised(
        &mut self,
        class: jclass,
        in_test: bool,
        vm: Vm<'_>,
    ) -> Result<(), JvmtiError> {
        if !in_test && self.class.is_none() {
            return Ok(());
        }
        let started = Instant::now();
        self.camera.catch_up(vm)?;
        let index = vm.jvmti.tag(class).and_then(Thing::from_tag).and_then(Thing::class_index);
        if let Some(index) = index.filter(|index| self.camera.roots.of(*index).next().is_some()) {
            let capture = self.camera.capture_class(index, class, vm)?;
            match &mut self.class {
                Some(scope) if !in_test => {
                    scope.initial.insert(index, capture);
                }
                _ => {
                    self.remember(&capture.classes, vm);
                    self.initial.insert(index, capture);
                }
            }
        }
        self.camera.pace.spend(started.elapsed());
        Ok(())
    }

    /// What happens cannot be put down to one test.
    pub(crate) fn lose_track(&mut self) {
        self.last = None;
        self.unseen = 0;
        self.class = None;
    }

    /// Class-level set-up of a class is about to run.
    pub(crate) fn class_begins(&mut self, class: &str, vm: Vm<'_>) -> Result<(), JvmtiError> {
        let thread = this_thread();
        if let Some(outer) = &mut self.class {
            // A class within a class belongs to that one. One beside it makes it impossible to tell whose is what.
            outer.lost |= outer.thread != thread;
            return Ok(());
        }
        let elapsed = self.elapsed();
        if self.unseen > 0 || !self.camera.pace.affords(self.overhead, elapsed) {
            return Ok(());
        }
        let started = Instant::now();
        self.keep_new_threads(vm)?;
        let before = match &self.last {
            Some((capture, None)) if self.between_classes => Arc::clone(capture),
            _ => Arc::new(self.camera.capture(vm)?),
        };
        self.last = Some((Arc::clone(&before), None));
        let (class, process) = (class.to_owned(), self.process_now(vm)?);
        let (initial, by_tests, lost) = (BTreeMap::new(), BTreeSet::new(), false);
        self.class = Some(ClassScope { class, thread, before, process, initial, by_tests, lost });
        self.camera.pace.looked(started.elapsed());
        Ok(())
    }

    /// Class-level tear-down of a class has run: what is different by it and by the set-up. None if nobody can tell.
    pub(crate) fn class_ends(
        &mut self,
        class: &str,
        vm: Vm<'_>,
    ) -> Result<Option<StateChange>, JvmtiError> {
        let Some(scope) = self.class.take_if(|scope| scope.class == class) else {
            return Ok(None);
        };
        let elapsed = self.elapsed();
        let can_tell = !scope.lost && self.unseen == 0;
        if !can_tell || !self.camera.pace.affords(self.overhead, elapsed) {
            return Ok(None);
        }
        let started = Instant::now();
        let after = Arc::new(self.camera.capture(vm)?);
        let mut change = self.camera.compare(&scope.before, &after, vm);
        // What its own set-up makes of its own fields is for its tests, and for nobody else as yet.
        let own = self.camera.classes.line_of(class);
        let of_others = scope.initial.into_iter().filter(|(index, _)| !own.contains(index));
        for (index, before) in of_others {
            change.append(self.since(index, &before, vm)?);
        }
        let process = self.process_at_rest(vm)?;
        change.differences.extend(process.since(&scope.process));
        let shared = self.camera.roots.shared();
        change.differences.retain(|one| one.root != shared && !scope.by_tests.contains(&one.path));
        self.process = process;
        self.last = Some((after, None));
        self.between_classes = true;
        self.camera.pace.looked(started.elapsed());
        Ok(Some(change))
    }

    /// What is to be put back later, of classes that were just captured.
    fn remember(&mut self, classes: &[usize], vm: Vm<'_>) {
        let Some(keeper) = &mut self.keeper else { return };
        for index in classes {
            if let Some(class) = self.camera.classes.local(vm.jni, *index) {
                keeper.remember(*index, class, &self.camera.roots, &mut self.camera.classes, vm);
                vm.jni.delete_local(class);
            }
        }
    }

    fn put_back(&mut self, classes: &[usize], vm: Vm<'_>) {
        let unset: Vec<usize> =
            classes.iter().copied().filter(|index| self.camera.starts_unset(*index)).collect();
        let Some(keeper) = &mut self.keeper else { return };
        for index in unset {
            keeper.remember_unset(index, &self.camera.roots);
        }
        keeper.put_back(&self.camera.roots, &self.camera.classes, vm);
    }

    /// What changed in a class that was initialised in the test.
    fn since_initialised(&mut self, index: usize, vm: Vm<'_>) -> Result<StateChange, JvmtiError> {
        let before = match self.initial.remove(&index) {
            Some(capture) => Some(capture),
            None => self.camera.untouched(index),
        };
        before.map_or(Ok(StateChange::default()), |before| self.since(index, &before, vm))
    }

    /// What changed in one class since it was captured.
    fn since(
        &mut self,
        index: usize,
        before: &Capture,
        vm: Vm<'_>,
    ) -> Result<StateChange, JvmtiError> {
        let Some(class) = self.camera.classes.local(vm.jni, index) else {
            return Ok(StateChange::default());
        };
        let after = self.camera.capture_class(index, class, vm);
        vm.jni.delete_local(class);
        Ok(self.camera.compare(before, &after?, vm))
    }

    /// If that is wanted. Who wants it sees if it is not there.
    fn write_down(&mut self, capture: &Capture, name: &str, vm: Vm<'_>) {
        let Some(directory) = self.dump.clone() else { return };
        if let Some(graph) = self.camera.picture(capture, vm) {
            let words = Words { names: &self.camera.painter.names, texts: &self.camera.texts };
            let _ = dump::write(&directory.join(name), &graph, words);
        }
    }
}
