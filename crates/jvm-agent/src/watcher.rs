//! Looks at the state around tests, if that is wanted.

use std::ffi::{CStr, OsString};
use std::os::unix::ffi::OsStringExt;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, MutexGuard, OnceLock, PoisonError};
use std::time::Duration;

use jvmti_bindings::sys::jni::{jclass, jobject};
use surefoot_classfile::{Call, ClassFile};
use surefoot_files::{Files, Found, Surroundings};
use surefoot_model::event::SeenTest;
use surefoot_model::{CapturePoint, Event, Framework, Observation, RunResult};

use crate::agent::{Agent, this_thread};
use crate::course::{Course, Due};
use crate::heap::camera::Vm;
use crate::heap::classes::Arrivals;
use crate::heap::holds_settings;
use crate::heap::include::Include;
use crate::heap::observer::{Observer, Seen};
use crate::heap::origin::{Origins, is_of_project};
use crate::jni::Jni;
use crate::jvmti::{Jvmti, JvmtiError};
use crate::options::Options;
use crate::scopes::{Around, Scopes};
use crate::{bundle, callbacks, eager, weave};

/// How long a thread may take to end after its test.
const PATIENCE: Duration = Duration::from_secs(1);

#[derive(Debug)]
pub(crate) struct Watcher {
    /// Where a watched VM finds what is wanted of it; read when a test framework shows up.
    orders: Mutex<Option<PathBuf>>,
    observing: AtomicBool,
    arrivals: Arrivals,
    /// Signatures of classes that have no initialiser, for the observer to know.
    without_initialiser: Mutex<Vec<String>>,
    origins: OnceLock<Option<Origins>>,
    observer: Mutex<Option<Observer>>,
    /// Whose static fields are looked at, if the user said so.
    include: OnceLock<Option<Include>>,
    scopes: Scopes,
    /// Where the state is looked at at points within tests, and not around them.
    course: Mutex<Option<Course>>,
    wants_points: AtomicBool,
    /// Which classes were initialised is told when the VM ends.
    tells_classes: AtomicBool,
    /// The addresses of the tests that are looked at; none for all of them.
    only: Mutex<Vec<String>>,
}

impl Watcher {
    pub(crate) fn new(options: &Options) -> Watcher {
        let orders = match options {
            Options::Watch { folder } => folder.parent().map(Path::to_owned),
            Options::Work { .. } => None,
        };
        Watcher {
            orders: Mutex::new(orders),
            observing: AtomicBool::new(false),
            arrivals: Arrivals::default(),
            without_initialiser: Mutex::default(),
            origins: OnceLock::new(),
            observer: Mutex::new(None),
            include: OnceLock::new(),
            scopes: Scopes::default(),
            course: Mutex::new(None),
            wants_points: AtomicBool::new(false),
            tells_classes: AtomicBool::new(false),
            only: Mutex::default(),
        }
    }

    /// A test framework shows up, and before any class of the tests.
    pub(crate) fn tests_will_run(&self, agent: &Agent, jvmti: Jvmti, jni: Jni) {
        let Some(orders) = locked(&self.orders).take() else { return };
        if let Ok(folder) = std::fs::read(orders.join("keep-files")) {
            let folder = PathBuf::from(OsString::from_vec(folder));
            Found::in_folder(folder).keep(&surroundings(jni).working_directory);
        }
        self.tells_classes.store(orders.join("tell-classes").exists(), Ordering::Release);
        let text = std::fs::read_to_string(orders.join("observe.json")).ok();
        if let Some(observation) = text.and_then(|text| serde_json::from_str(&text).ok()) {
            self.observe(agent, jvmti, jni, &observation);
        }
    }

    pub(crate) fn observe(&self, agent: &Agent, jvmti: Jvmti, jni: Jni, observation: &Observation) {
        // The user's own run does not wait: what it shows is looked at again in workers.
        let patience = if agent.is_worker() { PATIENCE } else { Duration::ZERO };
        let files = observation.files.as_ref().map(|scope| {
            let (files, troubles) = Files::new(scope, surroundings(jni));
            troubles.into_iter().for_each(|trouble| agent.trouble(trouble));
            files
        });
        locked(&self.only).clone_from(&observation.only);
        *locked(&self.course) = observation.capture.map(Course::new);
        self.wants_points.store(observation.capture.is_some(), Ordering::Release);
        let _ = self.include.set(Include::new(&observation.include_roots));
        *locked(&self.observer) = Some(Observer::new(observation, files, patience));
        self.observing.store(true, Ordering::Release);
        if let Err(JvmtiError(code)) = weave::show_all_classes(jvmti) {
            agent.trouble(format!(
                "changes to classes by the test that first uses them are missed (JVMTI error {code})"
            ));
        }
        if let Some(file) = &observation.eager
            && let Err(what) = eager::initialise(file, jni)
        {
            agent.trouble(what);
        }
    }

    /// The classes of the project that were initialised, if that is to be told.
    pub(crate) fn classes(&self, jvmti: Jvmti, jni: Jni) -> Option<Vec<String>> {
        let wanted = self.tells_classes.load(Ordering::Acquire);
        wanted.then(|| eager::initialised(jvmti, jni))
    }

    pub(crate) fn is_observing(&self) -> bool {
        self.observing.load(Ordering::Acquire)
    }

    /// Points within tests are where the state is looked at.
    pub(crate) fn wants_points(&self) -> bool {
        self.wants_points.load(Ordering::Acquire)
    }

    pub(crate) fn class_prepared(&self, jni: Jni, class: jclass) {
        if self.is_observing() {
            self.arrivals.add(jni, class);
        }
    }

    /// A class is being loaded: one that holds state tells when its initialiser has ended.
    pub(crate) fn class_loaded(
        &self,
        jni: Jni,
        name: Option<&CStr>,
        domain: jobject,
        bytes: &[u8],
    ) -> Option<Vec<u8>> {
        if !self.is_observing() || !self.holds_state(jni, name, domain) {
            return None;
        }
        let mut class = ClassFile::parse(bytes).ok()?;
        let Some((initialiser, _)) =
            class.methods().find(|(_, method)| method.name() == b"<clinit>")
        else {
            let name = String::from_utf8_lossy(class.name()).into_owned();
            locked(&self.without_initialiser).push(format!("L{name};"));
            return None;
        };
        let call = Call { class: bundle::PROBE, method: "initialised", descriptor: "()V" };
        // One that cannot be woven is compared from the next test on, as all were before.
        class.append_static_call(initialiser, &call, &[]).ok()?;
        Some(class.to_bytes())
    }

    /// One of the project, or of those of the JDK that hold settings of the process.
    fn holds_state(&self, jni: Jni, name: Option<&CStr>, domain: jobject) -> bool {
        if let Some(include) = self.include.get().and_then(Option::as_ref) {
            let name = name.and_then(|name| name.to_str().ok()).unwrap_or_default();
            return include.covers(&name.replace('/', ".")) || holds_settings(name);
        }
        if domain.is_null() {
            return name.and_then(|name| name.to_str().ok()).is_some_and(holds_settings);
        }
        let origins = self.origins.get_or_init(|| Origins::new(jni)).as_ref();
        let path = origins.and_then(|origins| origins.path_of_domain(jni, domain));
        let project = std::env::current_dir().ok();
        path.zip(project).is_some_and(|(path, project)| is_of_project(&path, &project))
    }

    pub(crate) fn class_initialised(&self, agent: &Agent, jni: Jni) {
        let under_way = self.under_way(agent);
        let in_test = match locked(&self.course).as_ref() {
            Some(course) => course.is_between(),
            None => under_way > 0,
        };
        if self.wants_points() && !in_test {
            return;
        }
        self.look(agent, jni, under_way.min(1), |observer, vm| {
            if let Some(class) = vm.jvmti.calling_class() {
                observer.initialised(class, in_test, vm)?;
                vm.jni.delete_local(class);
            }
            Ok(None::<()>)
        });
    }

    pub(crate) fn test_starts(&self, agent: &Agent, jni: Jni, test: &SeenTest) {
        if self.wants_points() {
            // Only in a scope: others tell of their points.
            if self.scopes.has(this_thread()) {
                self.point(agent, jni, CapturePoint::AfterSetup);
            }
            return;
        }
        let around = match self.scopes.around(this_thread()) {
            Around::Looked(change) => change,
            Around::NoScope if !self.is_wanted(&test.address) => return self.lose_track(),
            Around::NoScope => self.look(agent, jni, 0, |observer, vm| {
                observer.another(Some(&test.address), vm);
                observer.before(&test.class, vm)
            }),
        };
        if let Some(change) = around {
            agent.tell(&Event::ChangedAround { test: test.clone(), change });
        }
    }

    pub(crate) fn test_ends(&self, agent: &Agent, jni: Jni, test: &SeenTest) {
        if self.wants_points() {
            return match self.scopes.has(this_thread()) {
                true => self.point(agent, jni, CapturePoint::BeforeTeardown),
                false => self.course_ends(agent, jni, test),
            };
        }
        if self.scopes.has(this_thread()) || !self.is_wanted(&test.address) {
            return;
        }
        let seen = self.look(agent, jni, 1, |observer, vm| {
            let mut seen = observer.after(&test.class, vm)?;
            if let Some(Seen { change, .. }) = &mut seen {
                observer.will_undo(change);
            }
            Ok(seen)
        });
        if let Some(Seen { change, tests }) = seen {
            agent.tell(&Event::Changed { test: test.clone(), tests, change });
        }
    }

    /// Other tests are about to run.
    pub(crate) fn tests_come(&self, agent: &Agent, jni: Jni) {
        self.look(agent, jni, 0, |observer, vm| {
            observer.another(None, vm);
            Ok(None::<()>)
        });
    }

    /// A test has come to a point within it. One in another thread, as timeouts make them, does not count: that the thread is
    /// there is no change by the test.
    pub(crate) fn point(&self, agent: &Agent, jni: Jni, point: CapturePoint) {
        let started = agent.under_way() > 0;
        let is_wanted = |address: String| self.is_wanted(&address);
        if started && !agent.test_in_this_thread().is_some_and(is_wanted) {
            return;
        }
        let due = locked(&self.course)
            .as_mut()
            .map_or(Due::Nothing, |course| course.comes_to(point, started));
        let under_way = self.under_way(agent).min(1);
        if due == Due::Nothing {
            return;
        }
        let seen = self.look(agent, jni, under_way, |observer, vm| {
            if due == Due::First {
                observer.begin(vm)?;
                return Ok(Some(None));
            }
            let seen = observer.after("", vm)?;
            observer.forget_initial();
            Ok(seen.map(|seen| Some(seen.change)))
        });
        if let Some(course) = locked(&self.course).as_mut() {
            match seen {
                Some(change) => course.looked(due, change),
                None => course.missed(),
            }
        }
    }

    /// A test has ended, with all that belongs to it.
    fn course_ends(&self, agent: &Agent, jni: Jni, test: &SeenTest) {
        self.point(agent, jni, CapturePoint::AfterTeardown);
        let change = locked(&self.course).as_mut().and_then(|course| course.ends(&test.address));
        if let Some(change) = change.filter(|_| self.is_wanted(&test.address)) {
            agent.tell(&Event::Changed { test: test.clone(), tests: 1, change });
        }
    }

    /// Class-level set-up of a class is about to run.
    pub(crate) fn class_begins(&self, agent: &Agent, jni: Jni, class: &str) {
        if self.wants_points() {
            return;
        }
        self.look(agent, jni, 0, |observer, vm| {
            observer.class_begins(class, vm)?;
            Ok(None::<()>)
        });
    }

    /// Class-level tear-down of a class has run.
    pub(crate) fn class_ends(&self, agent: &Agent, jni: Jni, framework: Framework, class: String) {
        let change = self.look(agent, jni, 0, |observer, vm| observer.class_ends(&class, vm));
        if let Some(change) = change {
            agent.tell(&Event::ClassChanged { framework, class, change });
        }
    }

    /// The tests that come share an object of this class; none if they share none.
    pub(crate) fn tests_share(&self, class: Option<String>) {
        // Where tests overlap, somebody is looking, and loses track.
        if let Ok(mut guard) = self.observer.try_lock()
            && let Some(observer) = guard.as_mut()
        {
            observer.tests_share(class.as_deref());
        }
    }

    /// What runs before a test of this class, and belongs to it, is about to: some frameworks tell of the test only later.
    pub(crate) fn scope_begins(&self, agent: &Agent, jni: Jni, class: &str) {
        if self.wants_points() {
            let event = self.scopes.begin(this_thread(), None);
            event.into_iter().for_each(|event| agent.tell(&event));
            self.point(agent, jni, CapturePoint::BeforeSetup);
        } else if self.is_observing() {
            // Which test it is going to be is told later.
            let around = match self.is_looked_at(|address| address.starts_with(class)) {
                true => self.look(agent, jni, 0, |observer, vm| observer.before(class, vm)),
                false => None,
            };
            if let Some(event) = self.scopes.begin(this_thread(), around) {
                agent.tell(&event);
            }
        }
    }

    /// What runs after a test has run, and the framework has told before how the test ended.
    pub(crate) fn scope_ends(&self, agent: &Agent, jni: Jni) {
        let thread = this_thread();
        let finished = self.scopes.finished(thread);
        if self.wants_points() {
            match &finished {
                Some(Event::Finished { result: RunResult::Skipped { .. }, .. }) | None => {
                    locked(&self.course).iter_mut().for_each(Course::missed);
                }
                Some(Event::Finished { test, .. }) => self.course_ends(agent, jni, test),
                Some(_) => {}
            }
        } else if let Some(Event::Finished { test, result, .. }) = finished {
            let skipped = matches!(result, RunResult::Skipped { .. });
            let left_out = skipped || !self.is_wanted(&test.address);
            let seen = self.look(agent, jni, 1, |observer, vm| match left_out {
                true => {
                    // What ran around it may have left something, and that is nobody's.
                    observer.lose_track();
                    Ok(None)
                }
                false => observer.after(&test.class, vm),
            });
            if let Some(Seen { change, tests }) = seen {
                agent.tell(&Event::Changed { test, tests, change });
            }
        }
        if let Some(event) = self.scopes.end(thread) {
            agent.tell(&event);
        }
    }

    fn is_looked_at(&self, is_it: impl Fn(&str) -> bool) -> bool {
        let only = locked(&self.only);
        only.is_empty() || only.iter().any(|address| is_it(address))
    }

    fn is_wanted(&self, address: &str) -> bool {
        // The driver runs a JUnit 3 suite's tests without the suite, so the suite's name is missing.
        self.is_looked_at(|wanted| wanted.ends_with(address))
    }

    fn lose_track(&self) {
        if let Ok(mut guard) = self.observer.try_lock()
            && let Some(observer) = guard.as_mut()
        {
            observer.lose_track();
        }
    }

    /// The end of a test is told when what belongs to it has ended: until then the event is kept here.
    pub(crate) fn hold(&self, thread: u64, event: Event) -> Option<Event> {
        self.scopes.hold(thread, event)
    }

    /// Ends of tests that nobody was told of.
    pub(crate) fn held(&self) -> Vec<Event> {
        self.scopes.held()
    }

    fn under_way(&self, agent: &Agent) -> usize {
        agent.under_way().max(self.scopes.number())
    }

    /// Only where so many tests are under way: where tests overlap, nobody can tell which of them changed what. So nobody
    /// ever waits for the lock.
    fn look<T>(
        &self,
        agent: &Agent,
        jni: Jni,
        under_way: usize,
        look: impl FnOnce(&mut Observer, Vm<'_>) -> Result<Option<T>, JvmtiError>,
    ) -> Option<T> {
        if !self.is_observing() {
            return None;
        }
        let jvmti = callbacks::jvmti()?;
        let Ok(mut guard) = self.observer.try_lock() else { return None };
        let observer = guard.as_mut()?;
        match self.under_way(agent) {
            count if count == under_way => {}
            // Between tests.
            0 => return None,
            _ => {
                observer.lose_track();
                return None;
            }
        }
        observer.know_without_initialiser(locked(&self.without_initialiser).drain(..));
        let vm = Vm { arrivals: &self.arrivals, jvmti, jni };
        // Whatever happens here, the test's own event must go out.
        match catch_unwind(AssertUnwindSafe(|| look(observer, vm))) {
            Ok(Ok(seen)) => seen,
            Ok(Err(JvmtiError(code))) => {
                observer.lose_track();
                agent.trouble(format!("the state could not be read (JVMTI error {code})"));
                None
            }
            Err(_) => {
                *guard = None;
                agent.trouble(
                    "the agent failed at the state of a test; later ones are not looked at",
                );
                None
            }
        }
    }
}

fn surroundings(jni: Jni) -> Surroundings {
    Surroundings {
        working_directory: std::env::current_dir().unwrap_or_default(),
        temporary_directory: jni.property("java.io.tmpdir").map(PathBuf::from),
    }
}

fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    // A panic under the lock is caught at the VM's edge; what is there is still the best there is.
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
