//! A VM that waits for tests to run.

use std::collections::VecDeque;
use std::fmt;
use std::sync::Arc;
use std::time::{Duration, Instant};

use surefoot_model::{ClassSetup, Command, Death, Observation, Observe, Settings, Test, TestId};
use surefoot_scheduler::{Report, Worker};

use crate::process::{Message, Process};
use crate::runs::Runs;

/// The tests that a worker may be asked to run, and how to ask for them.
pub trait Tests: fmt::Debug + Send + Sync {
    /// A test that was never seen has an address that no framework finds.
    fn get(&self, id: &TestId) -> Test;

    /// In this order; the VM answers each command with [`Event::Done`](surefoot_model::Event::Done).
    fn commands(&self, tests: &[Test], class_setup: ClassSetup) -> Vec<Command>;
}

#[derive(Debug)]
pub struct VmWorker {
    process: Process,
    tests: Arc<dyn Tests>,
    runs: Runs,
    /// What it was last told to look at.
    observation: Option<Observation>,
    /// Reports that one event brought at once.
    waiting: VecDeque<Report>,
    gone: Option<Death>,
}

impl VmWorker {
    pub fn new(process: Process, tests: Arc<dyn Tests>) -> Self {
        VmWorker {
            process,
            tests,
            runs: Runs::default(),
            observation: None,
            waiting: VecDeque::new(),
            gone: None,
        }
    }

    fn take(&mut self, message: Message) {
        match message {
            Message::Event(event) => self.waiting.extend(self.runs.on(*event)),
            Message::Garbage(line) => {
                let what = format!("a worker said what is no event: {}", line.trim_end());
                self.waiting.push_back(Report::Trouble { what });
            }
            Message::NotForked => self.waiting.push_back(Report::NotForked),
            Message::Gone(death) => {
                self.waiting.push_back(Report::Gone { death: death.clone() });
                self.gone = Some(death);
            }
        }
    }
}

impl Worker for VmWorker {
    fn submit(&mut self, tests: &[TestId], settings: &Settings) {
        let tests: Vec<Test> = tests.iter().map(|id| self.tests.get(id)).collect();
        let commands = self.tests.commands(&tests, settings.class_setup);
        self.runs = Runs::new(&tests, commands.len());
        if commands.is_empty() {
            self.waiting.push_back(Report::Done { not_run: String::new() });
        }
        let observation = (settings.observe == Observe::Each).then(|| Observation {
            overhead: None,
            only: settings.observe_only.iter().map(|id| self.tests.get(id).address).collect(),
            files: settings.files.clone(),
            include_roots: settings.include_roots.clone(),
            capture: settings.capture,
            dump: settings.dump.clone(),
            eager: settings.eager.clone(),
            keep: settings.keep.clone(),
            undo: settings.reuse.is_some(),
        });
        // Else it would look at everything anew: what a test left is what the next one finds.
        if observation != self.observation {
            self.observation.clone_from(&observation);
            if let Some(observation) = observation {
                self.process.send(Command::Observe(observation));
            }
        }
        if let Some(choosing) = &settings.choose {
            self.process.send(Command::Choose(choosing.clone()));
        }
        for command in commands {
            self.process.send(command);
        }
    }

    fn next(&mut self, patience: Duration) -> Report {
        let deadline = Instant::now() + patience;
        loop {
            if let Some(report) = self.waiting.pop_front() {
                return report;
            }
            if let Some(death) = &self.gone {
                return Report::Gone { death: death.clone() };
            }
            match self.process.next(deadline.saturating_duration_since(Instant::now())) {
                Some(message) => self.take(message),
                None => return Report::Quiet,
            }
        }
    }

    fn kill(&mut self) {
        self.process.kill();
    }

    fn output(&self) -> String {
        self.process.output()
    }
}
