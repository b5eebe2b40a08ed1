//! VMs that are as good as new: all that ran in them passed and left the state as it was.

use std::sync::{Mutex, MutexGuard, PoisonError};

use surefoot_model::LaunchId;

use crate::Worker;

pub(crate) struct CleanVms {
    /// The newest last.
    vms: Mutex<Vec<(LaunchId, Box<dyn Worker>)>>,
    most: usize,
}

impl CleanVms {
    pub(crate) fn at_most(most: usize) -> Self {
        CleanVms { vms: Mutex::default(), most }
    }

    pub(crate) fn put(&self, launch: &LaunchId, vm: Box<dyn Worker>) {
        let mut vms = self.vms();
        vms.push((launch.clone(), vm));
        let too_many = vms.len().saturating_sub(self.most);
        let ended: Vec<_> = vms.drain(..too_many).collect();
        // To end a VM takes a while, and others wait for the lock.
        drop(vms);
        drop(ended);
    }

    pub(crate) fn take(&self, launch: &LaunchId) -> Option<Box<dyn Worker>> {
        let mut vms = self.vms();
        let place = vms.iter().rposition(|(of, _)| of == launch)?;
        Some(vms.remove(place).1)
    }

    fn vms(&self) -> MutexGuard<'_, Vec<(LaunchId, Box<dyn Worker>)>> {
        self.vms.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
