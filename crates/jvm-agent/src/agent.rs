//! The agent's own state: one per VM, made when the VM loads it.

use std::io::{BufRead, BufReader};
use std::os::unix::net::UnixStream;
use std::sync::{Mutex, MutexGuard, OnceLock, PoisonError};
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

use surefoot_model::event::SeenTest;
use surefoot_model::{Command, Event};

use crate::choices::Choices;
use crate::options::Options;
use crate::sink::Sink;
use crate::tracker::Tracker;
use crate::watcher::Watcher;
use crate::weave::Frameworks;

static AGENT: OnceLock<Agent> = OnceLock::new();

/// No lock in here is ever held while Java code runs.
#[derive(Debug)]
pub(crate) struct Agent {
    loaded: Instant,
    worker: bool,
    record: Mutex<Record>,
    commands: Option<Mutex<BufReader<UnixStream>>>,
    pub(crate) frameworks: Frameworks,
    pub(crate) watcher: Watcher,
    pub(crate) choices: Choices,
}

#[derive(Debug)]
struct Record {
    tracker: Tracker,
    sink: Sink,
    launch_told: bool,
}

impl Agent {
    pub(crate) fn start(options: &Options) {
        let sink = Sink::open(options);
        let commands = sink.commands().map(|stream| Mutex::new(BufReader::new(stream)));
        let worker = commands.is_some();
        let record = Record { tracker: Tracker::default(), sink, launch_told: worker };
        let _ = AGENT.set(Agent {
            loaded: Instant::now(),
            worker,
            record: Mutex::new(record),
            commands,
            frameworks: Frameworks::default(),
            watcher: Watcher::new(options),
            choices: Choices::default(),
        });
    }

    pub(crate) fn get() -> Option<&'static Agent> {
        AGENT.get()
    }

    /// In milliseconds of Unix time.
    pub(crate) fn loaded_at_ms(&self) -> u64 {
        let loaded = SystemTime::now() - self.loaded.elapsed();
        loaded.duration_since(UNIX_EPOCH).map_or(0, |since| since.as_millis() as u64)
    }

    /// This VM was started by Surefoot to run what it is told.
    pub(crate) fn is_worker(&self) -> bool {
        self.worker
    }

    /// Hands what a probe told to the tracker and writes the event that comes of it.
    pub(crate) fn track(
        &self,
        now: Duration,
        tell: impl FnOnce(&mut Tracker, u64, Duration) -> Option<Event>,
    ) {
        let thread = this_thread();
        let mut record = self.record();
        let event = tell(&mut record.tracker, thread, now);
        if let Some(event) = event.and_then(|event| self.watcher.hold(thread, event)) {
            record.sink.send(&event);
        }
    }

    /// Since the agent was loaded.
    pub(crate) fn now(&self) -> Duration {
        self.loaded.elapsed()
    }

    /// How many tests are under way, those that tests run included.
    pub(crate) fn under_way(&self) -> usize {
        self.record().tracker.under_way()
    }

    /// The address of the test that is under way in this thread.
    pub(crate) fn test_in_this_thread(&self) -> Option<String> {
        self.record().tracker.in_thread(this_thread()).map(str::to_owned)
    }

    /// This test has started and not ended.
    pub(crate) fn is_under_way(&self, test: &SeenTest) -> bool {
        self.record().tracker.is_under_way(test, this_thread())
    }

    pub(crate) fn tell(&self, event: &Event) {
        self.record().sink.send(event);
    }

    pub(crate) fn trouble(&self, what: impl Into<String>) {
        self.tell(&Event::Trouble { what: what.into() });
    }

    /// True once, and never in a worker: its launch is known.
    pub(crate) fn wants_launch(&self) -> bool {
        let mut record = self.record();
        !std::mem::replace(&mut record.launch_told, true)
    }

    /// The classes of the project that were initialised, if anybody wants to know.
    pub(crate) fn ends(&self, classes: Option<Vec<String>>) {
        let mut record = self.record();
        for event in self.watcher.held() {
            record.sink.send(&event);
        }
        if let Some(what) = record.tracker.loose_ends() {
            record.sink.send(&Event::Trouble { what });
        }
        // A VM that ran no tests has no record to end.
        if record.launch_told {
            if let Some(initialised) = classes {
                record.sink.send(&Event::Classes { initialised });
            }
            record.sink.send(&Event::Ended);
        }
    }

    /// Waits for the next command; none when Surefoot is done with this VM, or gone.
    pub(crate) fn next_command(&self) -> Option<Command> {
        let mut reader = self.commands.as_ref()?.lock().unwrap_or_else(PoisonError::into_inner);
        let mut line = String::new();
        match reader.read_line(&mut line) {
            Ok(length) if length > 0 => serde_json::from_str(&line).ok(),
            _ => None,
        }
    }

    fn record(&self) -> MutexGuard<'_, Record> {
        // A panic under the lock is caught at the VM's edge; the record is still the best there is.
        self.record.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

pub(crate) fn this_thread() -> u64 {
    rustix::thread::gettid().as_raw_nonzero().get() as u64
}
