//! A process that has imported the tests and forks workers: fresh ones for a fraction of what it takes to start them. It is started
//! for that, or a watched process left it behind.
//!
//! It is a process of the user's tests like any other, so it may be slow, hang or die at any time. Whatever it does, each worker
//! that is asked of it either comes to be, or is known not to.

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::io::{self, BufRead, BufReader, IoSlice, PipeWriter, Write};
use std::mem::MaybeUninit;
use std::net::Shutdown;
use std::os::fd::{AsFd, BorrowedFd, RawFd};
use std::os::unix::net::UnixStream;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::Duration;

use rustix::net::{SendAncillaryBuffer, SendAncillaryMessage, SendFlags, sendmsg};
use surefoot_model::{Command, Death, Launch, ParentCommand, ParentEvent};

use crate::life::{Life, wait_or_kill};
use crate::output::Tail;
use crate::process::{Process, Spawned, spawn};

/// How long it may take to import the tests. It is less than what a worker has for that and its first test, which nobody must blame for it.
const WARM_UP: Duration = Duration::from_secs(60);

/// How long it may take to fork.
const FORK: Duration = Duration::from_secs(10);

/// Dropping it ends the process, once all workers that it forked are gone.
#[derive(Debug)]
pub struct Parent(Arc<Held>);

#[derive(Debug)]
struct Held(Arc<Shared>);

#[derive(Debug)]
struct Shared {
    state: Mutex<State>,
    changed: Condvar,
}

#[derive(Debug)]
struct State {
    phase: Phase,
    /// Until it is warm.
    waiting: Vec<Asked>,
    /// But for those that never came to be.
    workers: BTreeMap<u64, Fate>,
    last_worker: u64,
}

#[derive(Debug)]
enum Phase {
    /// Not yet there, or at its imports.
    WarmingUp(Option<Arc<dyn Life>>),
    Warm {
        life: Arc<dyn Life>,
        socket: UnixStream,
    },
    /// It forks no more.
    Cold,
}

/// A worker that is to be forked, with its ends of the socket and the pipe.
#[derive(Debug)]
struct Asked {
    worker: u64,
    socket: UnixStream,
    output: PipeWriter,
}

#[derive(Debug)]
enum Fate {
    Asked,
    Forked,
    /// The parent will tell how it ended.
    Awaited,
    Ended(Death),
}

impl Parent {
    /// Returns at once. `commands` are what it takes to import the tests.
    pub fn start(
        launch: Launch,
        arguments: impl FnOnce(RawFd) -> io::Result<Vec<OsString>> + Send + 'static,
        commands: Vec<Command>,
    ) -> Parent {
        // The process ends with the thread that starts it, and lives longer than any of those that start workers.
        Parent::attended(move |shared| {
            if let Ok(Spawned { child, socket, output }) = spawn(&launch, arguments) {
                Tail::default().follow(output);
                shared.attend(
                    &socket,
                    BufReader::new(&socket),
                    Arc::new(Mutex::new(child)),
                    &commands,
                );
            }
        })
    }

    /// One that was left behind by another process. Both are ends of the same socket; `events` has what it says from now on.
    pub(crate) fn adopt(
        socket: UnixStream,
        events: BufReader<UnixStream>,
        life: Arc<dyn Life>,
    ) -> Parent {
        Parent::attended(move |shared| shared.attend(&socket, events, life, &[]))
    }

    fn attended(attend: impl FnOnce(&Shared) + Send + 'static) -> Parent {
        let state = State {
            phase: Phase::WarmingUp(None),
            waiting: Vec::new(),
            workers: BTreeMap::new(),
            last_worker: 0,
        };
        let shared = Arc::new(Shared { state: Mutex::new(state), changed: Condvar::new() });
        let held = Held(Arc::clone(&shared));
        thread::spawn(move || {
            attend(&shared);
            shared.get_cold();
        });
        Parent(Arc::new(held))
    }

    /// A worker, which can be told at once what to do; it may still turn out that it cannot be forked. None if that is known already.
    pub fn fork(&self) -> io::Result<Option<Process>> {
        let (socket, theirs) = UnixStream::pair()?;
        let (output, writer) = io::pipe()?;
        let mut state = self.0.0.state();
        if matches!(state.phase, Phase::Cold) {
            return Ok(None);
        }
        state.last_worker += 1;
        let worker = state.last_worker;
        state.workers.insert(worker, Fate::Asked);
        state.waiting.push(Asked { worker, socket: theirs, output: writer });
        state.ask();
        drop(state);
        let life = Fork { parent: Arc::clone(&self.0), worker };
        Process::new(Arc::new(life), socket, output).map(Some)
    }
}

impl Shared {
    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Until it forks no more.
    fn attend(
        &self,
        socket: &UnixStream,
        events: impl BufRead,
        life: Arc<dyn Life>,
        commands: &[Command],
    ) {
        match &mut self.state().phase {
            Phase::WarmingUp(known) => *known = Some(Arc::clone(&life)),
            Phase::Warm { .. } | Phase::Cold => life.kill(),
        }
        if self.listen(socket, events, &life, commands).is_err() {
            life.kill();
        }
        self.get_cold();
        wait_or_kill(&*life);
    }

    /// Until it has nothing more to say.
    fn listen(
        &self,
        mut socket: &UnixStream,
        events: impl BufRead,
        life: &Arc<dyn Life>,
        commands: &[Command],
    ) -> io::Result<()> {
        for command in commands {
            let mut line = serde_json::to_vec(command)?;
            line.push(b'\n');
            socket.write_all(&line)?;
        }
        socket.set_read_timeout(Some(WARM_UP))?;
        for line in events.lines() {
            let event = serde_json::from_str(&line?)?;
            if event == ParentEvent::Warm {
                socket.set_read_timeout(None)?;
                let (life, socket) = (Arc::clone(life), socket.try_clone()?);
                let mut state = self.state();
                if matches!(state.phase, Phase::WarmingUp(_)) {
                    state.phase = Phase::Warm { life, socket };
                }
                state.ask();
            }
            self.state().hear(event);
            self.changed.notify_all();
        }
        Ok(())
    }

    fn get_cold(&self) {
        let mut state = self.state();
        state.phase = Phase::Cold;
        state.waiting.clear();
        state.workers.retain(|_, fate| !matches!(fate, Fate::Asked));
        for fate in state.workers.values_mut() {
            // They go with it.
            if !matches!(fate, Fate::Ended(_)) {
                *fate = Fate::Ended(Death::Lost);
            }
        }
        self.changed.notify_all();
    }
}

impl State {
    fn hear(&mut self, event: ParentEvent) {
        let (worker, fate) = match event {
            ParentEvent::Warm => return,
            ParentEvent::Forked { worker } => (worker, Some(Fate::Forked)),
            ParentEvent::NotForked { worker } => (worker, None),
            ParentEvent::Reaped { worker, death } => (worker, Some(Fate::Ended(death))),
        };
        match (self.workers.get_mut(&worker), fate) {
            (Some(known), Some(fate)) => *known = fate,
            (Some(_), None) => {
                self.workers.remove(&worker);
            }
            (None, _) => {}
        }
    }

    /// Asks for all that wait, if it is warm.
    fn ask(&mut self) {
        if matches!(self.phase, Phase::Warm { .. }) {
            for Asked { worker, socket, output } in std::mem::take(&mut self.waiting) {
                self.tell(ParentCommand::Fork { worker }, &[socket.as_fd(), output.as_fd()]);
            }
        }
    }

    /// If it is gone, that shows elsewhere.
    fn tell(&self, command: ParentCommand, descriptors: &[BorrowedFd<'_>]) {
        let Phase::Warm { socket, .. } = &self.phase else { return };
        let Ok(mut line) = serde_json::to_vec(&command) else { return };
        line.push(b'\n');
        let mut space = [MaybeUninit::uninit(); rustix::cmsg_space!(ScmRights(2))];
        let mut ancillary = SendAncillaryBuffer::new(&mut space);
        if !descriptors.is_empty() {
            ancillary.push(SendAncillaryMessage::ScmRights(descriptors));
        }
        let _ = sendmsg(socket, &[IoSlice::new(&line)], &mut ancillary, SendFlags::NOSIGNAL);
    }

    fn kill(&self) {
        if let Phase::WarmingUp(Some(life)) | Phase::Warm { life, .. } = &self.phase {
            life.kill();
        }
    }
}

impl Drop for Held {
    fn drop(&mut self) {
        let phase = std::mem::replace(&mut self.0.state().phase, Phase::Cold);
        match phase {
            // Whoever attends to it ends it.
            Phase::WarmingUp(None) | Phase::Cold => {}
            Phase::WarmingUp(Some(life)) => life.kill(),
            Phase::Warm { life, socket } => {
                let _ = socket.shutdown(Shutdown::Write);
                wait_or_kill(&*life);
            }
        }
    }
}

/// A worker that a parent forks.
#[derive(Debug)]
struct Fork {
    parent: Arc<Held>,
    worker: u64,
}

impl Fork {
    fn state(&self) -> MutexGuard<'_, State> {
        self.parent.0.state()
    }
}

impl Life for Fork {
    fn begins(&self) -> bool {
        let mut state = self.state();
        loop {
            match state.workers.get(&self.worker) {
                Some(Fate::Asked) => {}
                fate => return fate.is_some(),
            }
            let waited = self.parent.0.changed.wait_timeout(state, FORK);
            let (guard, waited) = waited.unwrap_or_else(PoisonError::into_inner);
            state = guard;
            if waited.timed_out() && matches!(state.phase, Phase::Warm { .. }) {
                state.kill();
            }
        }
    }

    fn end(&self) -> Option<Death> {
        let mut state = self.state();
        match state.workers.get_mut(&self.worker) {
            None => Some(Death::Lost),
            Some(Fate::Ended(death)) => Some(death.clone()),
            Some(Fate::Asked | Fate::Awaited) => None,
            Some(fate @ Fate::Forked) => {
                *fate = Fate::Awaited;
                state.tell(ParentCommand::Reap { worker: self.worker }, &[]);
                None
            }
        }
    }

    fn kill(&self) {
        self.state().tell(ParentCommand::Kill { worker: self.worker }, &[]);
    }

    fn let_go(&self) {
        let mut state = self.state();
        let waits = state.waiting.len();
        state.waiting.retain(|asked| asked.worker != self.worker);
        if state.waiting.len() < waits {
            state.workers.remove(&self.worker);
            self.parent.0.changed.notify_all();
        }
    }
}

impl Drop for Fork {
    fn drop(&mut self) {
        self.state().workers.remove(&self.worker);
    }
}
