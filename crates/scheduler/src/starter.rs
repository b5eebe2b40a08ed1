//! Starts VMs, and gives up where trying is hopeless.

use std::collections::BTreeMap;
use std::sync::{Mutex, MutexGuard, PoisonError};

use surefoot_model::LaunchId;

use crate::panics::caught;
use crate::{Runtime, StartError, Worker};

/// After so many failures in a row, over all experiments, a launch is not tried again.
const HOPELESS: u32 = 3;

pub(crate) struct Starter<'r> {
    runtime: &'r dyn Runtime,
    /// The launches whose last start failed. Never locked during a call to the runtime.
    failing: Mutex<BTreeMap<LaunchId, Failing>>,
}

struct Failing {
    in_a_row: u32,
    last: StartError,
}

impl<'r> Starter<'r> {
    pub(crate) fn new(runtime: &'r dyn Runtime) -> Self {
        Starter { runtime, failing: Mutex::default() }
    }

    /// A VM that is needed now. A failure is tried again once, after telling it to `trouble`.
    pub(crate) fn start(
        &self,
        launch: &LaunchId,
        trouble: impl Fn(StartError),
    ) -> Result<Box<dyn Worker>, StartError> {
        match self.try_once(launch) {
            Err(error) if self.hopeless(launch).is_none() => {
                trouble(error);
                self.try_once(launch)
            }
            started_or_hopeless => started_or_hopeless,
        }
    }

    /// A VM that will be needed soon. That it does not start is no loss: whoever needs it will try
    /// again, and tell.
    pub(crate) fn spare(&self, launch: &LaunchId) -> Option<Box<dyn Worker>> {
        self.try_once(launch).ok()
    }

    fn try_once(&self, launch: &LaunchId) -> Result<Box<dyn Worker>, StartError> {
        if let Some(error) = self.hopeless(launch) {
            return Err(error);
        }
        let started = caught(|| self.runtime.start(launch))
            .unwrap_or_else(|panic| Err(StartError { what: panic }));
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

    fn hopeless(&self, launch: &LaunchId) -> Option<StartError> {
        let failing = self.failing();
        failing.get(launch).filter(|f| f.in_a_row >= HOPELESS).map(|f| f.last.clone())
    }

    fn failing(&self) -> MutexGuard<'_, BTreeMap<LaunchId, Failing>> {
        self.failing.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
