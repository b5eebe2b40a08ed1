//! How a process ended, and how to end it.

use std::fmt;
use std::os::unix::process::ExitStatusExt;
use std::process::Child;
use std::sync::{Mutex, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use rustix::process::{Pid, Signal, kill_process_group};
use surefoot_model::Death;

/// How long a VM may take to end in peace, with its shutdown hooks, before it is killed.
pub(crate) const PEACEFUL_END: Duration = Duration::from_secs(5);

/// Of a process, which is the first of a group.
pub(crate) trait Life: fmt::Debug + Send + Sync {
    /// Waits until there is a process; false if there will be none.
    fn begins(&self) -> bool;

    /// How it ended, if it has.
    fn end(&self) -> Option<Death>;

    /// At once, with whatever it started.
    fn kill(&self);

    /// Nobody wants it any more: if there is no process yet, there will be none.
    fn let_go(&self);
}

impl Life for Mutex<Child> {
    fn begins(&self) -> bool {
        true
    }

    fn end(&self) -> Option<Death> {
        match self.lock().unwrap_or_else(PoisonError::into_inner).try_wait() {
            Ok(Some(status)) => Some(match (status.code(), status.signal()) {
                (Some(status), _) => Death::Exited { status },
                (None, Some(signal)) => Death::Killed { signal },
                (None, None) => Death::Lost,
            }),
            Ok(None) => None,
            Err(_) => Some(Death::Lost),
        }
    }

    fn kill(&self) {
        let mut child = self.lock().unwrap_or_else(PoisonError::into_inner);
        if let (Ok(None), Some(group)) = (child.try_wait(), Pid::from_raw(child.id() as i32)) {
            let _ = kill_process_group(group, Signal::KILL);
        }
        let _ = child.kill();
    }

    fn let_go(&self) {}
}

/// How the process ended, if it does within that time.
pub(crate) fn wait(life: &dyn Life, patience: Duration) -> Option<Death> {
    let deadline = Instant::now() + patience;
    loop {
        // Nothing is locked while waiting: others must be able to kill.
        let end = life.end();
        if end.is_some() || Instant::now() >= deadline {
            return end;
        }
        thread::sleep(Duration::from_millis(2));
    }
}

/// In peace if it can, and at the latest when its time is up.
pub(crate) fn wait_or_kill(life: &dyn Life) -> Death {
    let end = wait(life, PEACEFUL_END).or_else(|| {
        life.kill();
        wait(life, PEACEFUL_END)
    });
    end.unwrap_or(Death::Lost)
}
