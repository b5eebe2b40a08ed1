//! Ctrl-C and its like: nothing is lost, and nobody waits for long.

use std::process::Child;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::Duration;

use anyhow::{Context, Result};
use rustix::process::{Pid, Signal, kill_process};
use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM};
use signal_hook::iterator::Signals;
use surefoot_scheduler::Stop;

/// How long a command may take to end by itself after Ctrl-C, which the terminal sends to it as well.
const GRACE: Duration = Duration::from_secs(3);

/// Set by the first signal; the second one ends Surefoot at once.
pub(crate) fn stop_on_signals() -> Result<Stop> {
    let flag = Arc::new(AtomicBool::new(false));
    for signal in [SIGINT, SIGTERM, SIGHUP] {
        signal_hook::flag::register_conditional_shutdown(signal, 2, Arc::clone(&flag))
            .and_then(|_| signal_hook::flag::register(signal, Arc::clone(&flag)))
            .context("cannot listen to signals")?;
    }
    Ok(Stop::from(flag))
}

/// Passes signals on to the user's command; says afterwards whether there were any.
#[derive(Debug)]
pub(crate) struct PassedOn {
    any: Arc<AtomicBool>,
    handle: signal_hook::iterator::Handle,
}

impl PassedOn {
    pub(crate) fn to(child: &Child) -> Result<PassedOn> {
        let mut signals = Signals::new([SIGINT, SIGTERM, SIGHUP]).context("cannot listen to signals")?;
        let any = Arc::new(AtomicBool::new(false));
        let handle = signals.handle();
        let seen = Arc::clone(&any);
        let pid = Pid::from_raw(child.id() as i32);
        thread::spawn(move || {
            for signal in signals.forever() {
                seen.store(true, Ordering::SeqCst);
                let Some(pid) = pid else { continue };
                if signal == SIGINT {
                    thread::sleep(GRACE);
                }
                // The child is waited for only after this thread is told to end, so its number is still its own.
                let _ = kill_process(pid, Signal::TERM);
            }
        });
        Ok(PassedOn { any, handle })
    }

    pub(crate) fn any(self) -> bool {
        self.handle.close();
        self.any.load(Ordering::SeqCst)
    }
}
