//! Looks at the state around tests, if that is wanted.

use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, PoisonError};

use surefoot_model::event::SeenTest;
use surefoot_model::{Event, Observation, StateChange};

use crate::agent::Agent;
use crate::callbacks;
use crate::heap::classes::Arrivals;
use crate::heap::observer::{Observer, Vm};
use crate::jni::Jni;
use crate::jvmti::JvmtiError;
use crate::options::Options;
use jvmti_bindings::sys::jni::jclass;

#[derive(Debug)]
pub(crate) struct Watcher {
    /// Where a watched VM finds what to look at; read when the first test starts.
    file: Mutex<Option<PathBuf>>,
    observing: AtomicBool,
    arrivals: Arrivals,
    observer: Mutex<Option<Observer>>,
}

impl Watcher {
    pub(crate) fn new(options: &Options) -> Watcher {
        let file = match options {
            Options::Watch { folder } => folder.parent().map(|watch| watch.join("observe.json")),
            Options::Work { .. } => None,
        };
        Watcher {
            file: Mutex::new(file),
            observing: AtomicBool::new(false),
            arrivals: Arrivals::default(),
            observer: Mutex::new(None),
        }
    }

    pub(crate) fn observe(&self, observation: Observation) {
        *self.observer.lock().unwrap_or_else(PoisonError::into_inner) =
            Some(Observer::new(&observation));
        self.observing.store(true, Ordering::Release);
    }

    pub(crate) fn class_prepared(&self, jni: Jni, class: jclass) {
        if self.observing.load(Ordering::Acquire) {
            self.arrivals.add(jni, class);
        }
    }

    pub(crate) fn test_starts(&self, agent: &Agent, jni: Jni, test: &SeenTest) {
        let file = self.file.lock().unwrap_or_else(PoisonError::into_inner).take();
        let text = file.and_then(|file| std::fs::read_to_string(file).ok());
        if let Some(observation) = text.and_then(|text| serde_json::from_str(&text).ok()) {
            self.observe(observation);
        }
        let change = self.look(agent, jni, 0, |observer, vm| observer.before(&test.class, vm));
        if let Some(change) = change {
            agent.tell(&Event::ChangedAround { test: test.clone(), change });
        }
    }

    pub(crate) fn test_ends(&self, agent: &Agent, jni: Jni, test: &SeenTest) {
        let change = self.look(agent, jni, 1, |observer, vm| observer.after(&test.class, vm));
        if let Some(change) = change {
            agent.tell(&Event::Changed { test: test.clone(), change });
        }
    }

    /// Only where the test is alone in its VM: where tests overlap, nobody can tell which of them changed what. So nobody ever
    /// waits for the lock.
    fn look(
        &self,
        agent: &Agent,
        jni: Jni,
        others: usize,
        look: impl FnOnce(&mut Observer, Vm<'_>) -> Result<Option<StateChange>, JvmtiError>,
    ) -> Option<StateChange> {
        if !self.observing.load(Ordering::Acquire) {
            return None;
        }
        let jvmti = callbacks::jvmti()?;
        let Ok(mut observer) = self.observer.try_lock() else { return None };
        let observer = observer.as_mut()?;
        if agent.under_way() != others {
            observer.lose_track();
            return None;
        }
        look(observer, Vm { arrivals: &self.arrivals, jvmti, jni }).unwrap_or_else(
            |JvmtiError(code)| {
                observer.lose_track();
                agent.trouble(format!("the state could not be read (JVMTI error {code})"));
                None
            },
        )
    }
}
