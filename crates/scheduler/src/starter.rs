//! Starts VMs, and gives up where trying is hopeless.

use std::collections::BTreeMap;
use std::sync::mpsc::{self, Sender};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::thread::Scope;

use surefoot_model::{LaunchId, Start};

use crate::panics::caught;
use crate::{Runtime, StartError, Worker};

/// After so many failures in a row, over all experiments, a launch is not tried again.
const HOPELESS: u32 = 3;

pub(crate) struct Starter {
    /// To the thread that starts all VMs. The system may end a process with the thread that started it, and a VM can outlive
    /// its experiment.
    requests: Sender<Request>,
    /// The launches whose last start failed. Never locked during a call to the runtime.
    failing: Mutex<BTreeMap<LaunchId, Failing>>,
}

type Started = Result<Box<dyn Worker>, StartError>;

struct Request {
    launch: LaunchId,
    start: Start,
    answer: Sender<Started>,
}

struct Failing {
    in_a_row: u32,
    last: StartError,
}

impl Starter {
    /// Its thread ends with it.
    pub(crate) fn new<'scope>(
        scope: &'scope Scope<'scope, '_>,
        runtime: &'scope dyn Runtime,
    ) -> Self {
        let (requests, asked) = mpsc::channel::<Request>();
        scope.spawn(move || {
            for Request { launch, start, answer } in asked {
                let started = caught(|| runtime.start(&launch, start))
                    .unwrap_or_else(|panic| Err(StartError { what: panic }));
                // Whoever asked may have been ended by a panic; the VM ends with the answer.
                let _ = answer.send(started);
            }
        });
        Starter { requests, failing: Mutex::default() }
    }

    /// A VM that is needed now. A failure is tried again once, after telling it to `trouble`.
    pub(crate) fn start(
        &self,
        launch: &LaunchId,
        start: Start,
        trouble: impl Fn(StartError),
    ) -> Started {
        match self.try_once(launch, start) {
            Err(error) if self.hopeless(launch).is_none() => {
                trouble(error);
                self.try_once(launch, start)
            }
            started_or_hopeless => started_or_hopeless,
        }
    }

    /// A VM that will be needed soon. That it does not start is no loss: whoever needs it will try
    /// again, and tell.
    pub(crate) fn spare(&self, launch: &LaunchId, start: Start) -> Option<Box<dyn Worker>> {
        self.try_once(launch, start).ok()
    }

    fn try_once(&self, launch: &LaunchId, start: Start) -> Started {
        if let Some(error) = self.hopeless(launch) {
            return Err(error);
        }
        let started = self.ask(launch, start);
        let mut failing = self.failing();
        match &started {
            Ok(_) => {
                failing.remove(launch);
            }
            Err(error) => {
                let in_a_row = failing.get(launch).map_or(0, |before| before.in_a_row) + 1;
                failing.insert(launch.clone(), Failing { in_a_row, last: error.clone() });
            }
        }
        started
    }

    fn ask(&self, launch: &LaunchId, start: Start) -> Started {
        let (answer, answered) = mpsc::channel();
        let _ = self.requests.send(Request { launch: launch.clone(), start, answer });
        let gone = |_| StartError { what: "nobody is there to start it".to_owned() };
        answered.recv().map_err(gone)?
    }

    fn hopeless(&self, launch: &LaunchId) -> Option<StartError> {
        let failing = self.failing();
        failing.get(launch).filter(|f| f.in_a_row >= HOPELESS).map(|f| f.last.clone())
    }

    fn failing(&self) -> MutexGuard<'_, BTreeMap<LaunchId, Failing>> {
        self.failing.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
