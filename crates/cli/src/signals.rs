//! Ctrl-C and its like: nothing is lost, and nobody waits for long.

use std::os::unix::process::CommandExt;
use std::process::{Child, Command};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use anyhow::{Context, Result};
use rustix::process::{
    Pid, PidfdFlags, Signal, getpid, getppid, pidfd_open, pidfd_send_signal,
    set_parent_process_death_signal,
};
use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM};
use signal_hook::iterator::Signals;
use surefoot_scheduler::Stop;

/// How long a command may take to end by itself after Ctrl-C, which the terminal sends to it as well.
const GRACE: Duration = Duration::from_secs(3);

/// `timeout` sends its signal to the process and to the whole group, and some build servers do so too: what comes within this
/// time of the first is the same wish.
const SAME_WISH: Duration = Duration::from_secs(1);

/// Set by the first signal; the second one ends Surefoot at once.
pub(crate) fn stop_on_signals() -> Result<Stop> {
    let Heard(mut signals) = Heard::from_now_on()?;
    let stop = Stop::new();
    let stopped = stop.clone();
    thread::spawn(move || {
        let mut wishes = Wishes::default();
        for _ in signals.forever() {
            match wishes.another() {
                Wish::First => stopped.set(),
                Wish::Same => {}
                Wish::Next => std::process::exit(2),
            }
        }
    });
    Ok(stop)
}

/// What a signal means, by those before it.
enum Wish {
    First,
    Same,
    Next,
}

#[derive(Default)]
struct Wishes {
    first: Option<Instant>,
}

impl Wishes {
    fn another(&mut self) -> Wish {
        match self.first {
            None => {
                self.first = Some(Instant::now());
                Wish::First
            }
            Some(first) if first.elapsed() < SAME_WISH => Wish::Same,
            Some(_) => Wish::Next,
        }
    }
}

/// Hears signals from now on, for a command that is about to be started.
pub(crate) struct Heard(Signals);

impl Heard {
    pub(crate) fn from_now_on() -> Result<Heard> {
        Signals::new([SIGINT, SIGTERM, SIGHUP]).map(Heard).context("cannot listen to signals")
    }

    /// The first signal asks the command to end, the second one does not ask.
    pub(crate) fn pass_on_to(self, child: &Child) -> Result<PassedOn> {
        let Heard(mut signals) = self;
        let any = Arc::new(AtomicBool::new(false));
        let handle = signals.handle();
        let seen = Arc::clone(&any);
        // Unlike its number, which another process may get once it has ended.
        let process = Pid::from_raw(child.id() as i32).context("the command has no number")?;
        let process =
            pidfd_open(process, PidfdFlags::empty()).context("cannot watch over the command")?;
        let process = Arc::new(process);
        thread::spawn(move || {
            let mut wishes = Wishes::default();
            for signal in signals.forever() {
                seen.store(true, Ordering::SeqCst);
                match wishes.another() {
                    Wish::First if signal == SIGINT => {
                        let process = Arc::clone(&process);
                        thread::spawn(move || {
                            thread::sleep(GRACE);
                            let _ = pidfd_send_signal(&*process, Signal::TERM);
                        });
                    }
                    Wish::First => drop(pidfd_send_signal(&*process, Signal::TERM)),
                    Wish::Same => {}
                    Wish::Next => drop(pidfd_send_signal(&*process, Signal::KILL)),
                }
            }
        });
        Ok(PassedOn { any, handle })
    }
}

/// Passes signals on to the user's command; says afterwards whether there were any.
#[derive(Debug)]
pub(crate) struct PassedOn {
    any: Arc<AtomicBool>,
    handle: signal_hook::iterator::Handle,
}

impl PassedOn {
    pub(crate) fn any(self) -> bool {
        self.handle.close();
        self.any.load(Ordering::SeqCst)
    }
}

/// A Surefoot that is killed takes the user's command with it: nobody would read what it finds.
pub(crate) fn end_with_us(command: &mut Command) {
    let us = getpid();
    // SAFETY: between fork and exec only two system calls are made; nothing allocates or locks.
    unsafe {
        command.pre_exec(move || {
            set_parent_process_death_signal(Some(Signal::TERM))?;
            // Killed before the call above: the signal will never come.
            if getppid() != Some(us) {
                return Err(std::io::ErrorKind::Interrupted.into());
            }
            Ok(())
        });
    }
}
