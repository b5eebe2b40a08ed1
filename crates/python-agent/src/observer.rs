//! Compares the state around each test, and tells what the test has done from what fixtures around it have done.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use serde::Deserialize;
use surefoot_files::{Files, Surroundings};
use surefoot_model::{Access, Difference, DifferenceKind, Observation, StateChange};
use surefoot_process::{Process, descriptors, listening_at};
use surefoot_state::{Words, triples};

use crate::api::{self, Object, Owned};
use crate::capture::{Capture, Scope, capture, compare, surface};
use crate::comparison;
use crate::known::Known;
use crate::libraries::Libraries;
use crate::outline::Outline;
use crate::project::Project;
use crate::settings::entry;
use crate::walk::Memory;

/// Between two looks at threads that may be about to end.
const PAUSE: Duration = Duration::from_millis(5);

/// How long a thread may take to end after its test, in a worker.
const PATIENCE: Duration = Duration::from_secs(1);

/// Of the values that are weak references.
const WEAK: &str = "weakref";

/// What [`StateChange::elsewhere`] says of a file or a socket that was left open, or that is not open any more.
const OPEN_FILES: &str = "open files";

/// How the plug-in wants it.
#[derive(Debug, Deserialize)]
pub(crate) struct Wanted {
    observation: Observation,
    /// Whose modules are the project's.
    directories: Vec<String>,
    /// The user's own run does not wait for threads: what it shows is looked at again in workers.
    patient: bool,
    /// Whether the generators of random numbers go on from test to test.
    generators: bool,
}

#[derive(Debug)]
pub(crate) struct Observer {
    known: Known,
    memory: Memory,
    scope: Scope,
    files: Option<Files>,
    dump: Option<PathBuf>,
    patience: Duration,
    /// The state when it was last looked at.
    last: Option<(Capture, Process)>,
    /// Numbers of the files and sockets that were open then.
    open: BTreeSet<i32>,
    /// What pytest itself changes while a test is under way, before it.
    surface: Option<Capture>,
    /// Something around the tests may have changed it since.
    stale: bool,
    /// What the test under way has done so far.
    own: StateChange,
    /// The test under way has ended, and only what is around it follows.
    over: bool,
    /// What was done around the test before it was set up.
    around: Vec<Difference>,
    /// What was done around it after it was torn down.
    behind: Option<StateChange>,
    /// What fixtures around it have done cannot be told from what the test has done.
    mixed: bool,
    /// Tests that ended since the state was last looked at.
    unseen: u32,
    /// The last of them is told once garbage is collected.
    awaits_collector: bool,
    overhead: f64,
    began: Option<Instant>,
    spent: Duration,
    last_look: Duration,
    troubles: Vec<String>,
}

/// What there is to be told of a test that has ended.
#[derive(Debug, serde::Serialize)]
#[serde(untagged)]
pub(crate) enum Ended {
    /// What changed, and in how many tests: the one that has just ended and those before it.
    Seen { tests: u32, change: StateChange },
    /// Nothing before garbage is collected: code of the user's runs then, and none does in here.
    AwaitsCollector,
}

impl Observer {
    pub(crate) fn new(known: Known, wanted: Wanted, fixtures: Owned) -> Observer {
        let Wanted { observation, directories, patient, generators } = wanted;
        let mut troubles = Vec::new();
        let files = observation.files.as_ref().map(|scope| {
            let (files, told) = Files::new(scope, surroundings());
            troubles.extend(told);
            files
        });
        let project = Project::new(&directories, &observation.include_roots);
        Observer {
            known,
            memory: Memory::new(),
            scope: Scope {
                project,
                fixtures,
                generators,
                outline: Outline::default(),
                libraries: Libraries::default(),
                base: None,
            },
            files,
            dump: observation.dump.map(PathBuf::from),
            patience: if patient { PATIENCE } else { Duration::ZERO },
            last: None,
            open: BTreeSet::new(),
            surface: None,
            stale: false,
            own: StateChange::default(),
            around: Vec::new(),
            behind: None,
            over: false,
            mixed: false,
            unseen: 0,
            awaits_collector: false,
            overhead: observation.overhead.unwrap_or(f64::INFINITY),
            began: None,
            spent: Duration::ZERO,
            last_look: Duration::ZERO,
            troubles,
        }
    }

    /// What there is to be told beside differences.
    pub(crate) fn troubles(&mut self) -> Vec<String> {
        std::mem::take(&mut self.troubles)
    }

    /// A test starts. What was changed around the tests since the last one, if that was looked at.
    pub(crate) fn test_starts(&mut self) -> Option<StateChange> {
        let is_first = self.began.is_none();
        self.began.get_or_insert_with(Instant::now);
        (self.own, self.over, self.mixed) = (StateChange::default(), false, false);
        self.around.clear();
        let (stale, behind) = (std::mem::take(&mut self.stale), self.behind.take());
        if self.last.is_none() {
            if let Some(files) = &mut self.files {
                if is_first { files.leave_to_others() } else { files.forget() }
            }
            self.look(false);
            self.look_at_surface();
        } else if stale && self.unseen == 0 {
            if self.affords() {
                let mut change = self.look(false);
                if let (Some(change), Some(mut behind)) = (&mut change, behind) {
                    comparison::add(&mut behind, std::mem::take(change));
                    *change = behind;
                }
                let surface = self.look_at_surface();
                if let (Some(change), Some(surface)) = (&mut change, surface) {
                    change.append(surface);
                }
                self.write_down("before.txt");
                return change;
            }
            self.mixed = true;
        }
        self.write_down("before.txt");
        None
    }

    /// A fixture that several tests share is about to be set up.
    pub(crate) fn fixture_starts(&mut self) {
        if self.over || self.last.is_none() {
            return;
        }
        if self.unseen > 0 || !self.affords() {
            self.mixed = true;
            return;
        }
        if let Some(change) = self.look(false) {
            comparison::add(&mut self.own, change);
        }
    }

    /// It is set up, or one has been torn down while the test was set up: what that changed is not the test's doing.
    pub(crate) fn fixture_ends(&mut self) -> Option<StateChange> {
        if self.over || self.last.is_none() || self.mixed {
            return None;
        }
        self.look(false)
    }

    /// What was done so far was done for all tests of a module or a package, or for each by a plug-in that undoes it behind the test.
    pub(crate) fn others_are_set_up(&mut self) {
        self.around = self.fixture_ends().map(|change| change.differences).unwrap_or_default();
    }

    /// The test is torn down, and what it shares with others follows.
    pub(crate) fn test_is_over(&mut self) {
        if self.over || self.last.is_none() {
            return;
        }
        self.stale = true;
        if self.unseen > 0 || !self.affords() {
            self.mixed = true;
            return;
        }
        if let Some(change) = self.look(true) {
            comparison::add(&mut self.own, change);
        }
        self.write_down("after.txt");
        self.over = true;
    }

    /// The test has ended. None if its beginning was not looked at, or if looking now would take too long.
    pub(crate) fn test_ends(&mut self) -> Option<Ended> {
        self.last.as_ref()?;
        let again = std::mem::take(&mut self.awaits_collector);
        self.unseen += u32::from(!again);
        if !self.over {
            if !self.affords() {
                return None;
            }
            let change = self.look(!again)?;
            comparison::add(&mut self.own, change);
            self.write_down("after.txt");
        }
        if !again && self.may_be_garbage() {
            self.awaits_collector = true;
            return Some(Ended::AwaitsCollector);
        }
        if let Some(change) = self.look_at_surface() {
            comparison::add(&mut self.own, change);
        }
        let mut change = std::mem::take(&mut self.own);
        self.drop_what_went(&mut change);
        self.drop_what_was_undone(&mut change);
        self.drop_what_is_undone(&mut change);
        // Where it may have been a fixture, the test is looked at again, alone.
        let least = if self.mixed { 2 } else { 1 };
        Some(Ended::Seen { tests: std::mem::take(&mut self.unseen).max(least), change })
    }

    /// What happens cannot be put down to one test.
    pub(crate) fn lose_track(&mut self) {
        (self.last, self.surface) = (None, None);
        (self.unseen, self.awaits_collector) = (0, false);
    }

    /// Threads and sockets that one look saw come, and that have gone again.
    fn drop_what_went(&self, change: &mut StateChange) {
        let Some((_, process)) = &self.last else { return };
        let there = process.since(&Process::default());
        change.differences.retain(|one| {
            let is_one = one.root == "live threads" || one.root == "listening sockets";
            !is_one || there.iter().any(|left| left.path == one.path)
        });
    }

    /// As it was before anything was done for this test.
    fn drop_what_was_undone(&self, change: &mut StateChange) {
        drop_undone(change, &self.around);
    }

    /// What was set around the test and is set back behind it, and what is torn down together with it: the next test sees none of it.
    fn drop_what_is_undone(&mut self, change: &mut StateChange) {
        if !self.over || change.differences.is_empty() || !self.affords() {
            return;
        }
        let Some(behind) = self.look(false) else { return };
        drop_undone(change, &behind.differences);
        self.behind = Some(behind);
    }

    /// Whether something came that nobody may have collected yet: objects in a circle stay for a while, and so does what is noted of
    /// them until they go.
    fn may_be_garbage(&self) -> bool {
        let came = |one: &Difference| {
            one.kind == DifferenceKind::Added && one.access != Access::Process
                || one.after.as_ref().is_some_and(|it| it.contains(WEAK))
        };
        !self.patience.is_zero() && self.own.differences.iter().any(came)
    }

    /// What changed since the last look; none if this is the first.
    fn look(&mut self, patiently: bool) -> Option<StateChange> {
        let started = Instant::now();
        let last = self.last.take();
        let patience = if patiently { self.patience } else { Duration::ZERO };
        let (process, open) = self.process(last.as_ref().map(|(_, process)| process), patience);
        let (now, too_large) = capture(&self.known, &mut self.memory, &mut self.scope)?;
        for root in too_large {
            let what = format!(
                "{root} leads to more objects than are looked at; what changes there is missed"
            );
            if !self.troubles.contains(&what) {
                self.troubles.push(what);
            }
        }
        let change = last.map(|(before, old)| {
            let (memory, scope) = (&mut self.memory, &mut self.scope);
            let mut change = compare(&before, &now, &self.known, memory, scope);
            change.differences.extend(process.since(&old));
            if open != self.open {
                change.add_elsewhere(vec![OPEN_FILES.to_owned()]);
            }
            if let Some(files) = &mut self.files {
                change.append(files.look());
            }
            change
        });
        self.open = open;
        self.last = Some((now, process));
        self.last_look = started.elapsed();
        self.spent += self.last_look;
        change
    }

    /// Of what is only to be looked at around a whole test; none if this is the first look.
    fn look_at_surface(&mut self) -> Option<StateChange> {
        let now = surface(&self.known, &mut self.memory);
        let change = self
            .surface
            .as_ref()
            .map(|before| compare(before, &now, &self.known, &mut self.memory, &mut self.scope));
        self.surface = Some(now);
        change
    }

    /// Whether one more look stays within so many times what the tests take.
    fn affords(&self) -> bool {
        let elapsed = self.began.map_or(Duration::ZERO, |began| began.elapsed());
        let plain = elapsed.saturating_sub(self.spent).as_secs_f64();
        let allowed = plain * (self.overhead - 1.0).max(0.0);
        self.overhead.is_infinite() || (self.spent + self.last_look).as_secs_f64() <= allowed
    }

    /// A thread that a test told to end may take a moment to do so.
    fn process(&self, before: Option<&Process>, patience: Duration) -> (Process, BTreeSet<i32>) {
        let until = Instant::now() + patience;
        loop {
            let pause = self.known.pause();
            let open = descriptors();
            let sockets = listening_at(&open);
            let process = Process { threads: threads(), sockets, ..Process::default() };
            drop(pause);
            let is_more = |id: &i64| before.is_some_and(|old| !old.threads.contains_key(id));
            if !process.threads.keys().any(is_more) || Instant::now() >= until {
                return (process, open);
            }
            api::sleep(PAUSE);
        }
    }

    /// If that is wanted. Who wants it sees if it is not there.
    fn write_down(&mut self, name: &str) {
        let (Some(directory), Some((capture, _))) = (&self.dump, &self.last) else { return };
        let roots = capture.snapshot.all_roots();
        if let Some(graph) = capture.snapshot.graph(&roots, &mut self.memory.names) {
            let words = Words { names: &self.memory.names, texts: &self.memory.texts };
            let lines = triples(&graph, words).map(|triple| format!("{triple}\n"));
            let _ = write(&directory.join(name), &lines.collect::<String>());
        }
    }
}

/// It is nobody's pollution. A test that runs again before anything is undone may see it all the same.
fn drop_undone(change: &mut StateChange, others: &[Difference]) {
    let undoes = |one: &Difference, other: &Difference| {
        one.path == other.path && one.before == other.after && one.after == other.before
    };
    let is_undone = |one: &Difference| others.iter().any(|other| undoes(one, other));
    let all = std::mem::take(&mut change.differences);
    let (undone, left): (Vec<_>, Vec<_>) = all.into_iter().partition(is_undone);
    change.differences = left;
    change.add_elsewhere(undone.into_iter().map(|one| one.path).collect());
}

fn write(path: &Path, text: &str) -> std::io::Result<()> {
    use std::io::Write;
    use std::os::unix::fs::OpenOptionsExt;
    let mut options = std::fs::OpenOptions::new();
    let mut file = options.write(true).create(true).truncate(true).mode(0o600).open(path)?;
    file.write_all(text.as_bytes())
}

/// The threads that the module `threading` knows to be alive, with their names.
fn threads() -> BTreeMap<i64, String> {
    let find = || {
        let modules = api::modules()?;
        let threading = entry(modules, "threading")?.module_dict()?;
        entry(threading, "_active").filter(|active| active.is_dict())
    };
    let active: Option<Object<'_>> = find();
    let mut threads = BTreeMap::new();
    for (id, thread) in active.into_iter().flat_map(Object::entries) {
        if id.flags() & api::INT == 0 {
            continue;
        }
        let name = thread.instance_dict().and_then(|dict| entry(dict, "_name"));
        let name = name.map(Object::any_text).unwrap_or_default();
        threads.insert(id.integer().unwrap_or(0), name);
    }
    threads
}

fn surroundings() -> Surroundings {
    Surroundings {
        working_directory: std::env::current_dir().unwrap_or_default(),
        temporary_directory: Some(std::env::temp_dir()),
    }
}
