//! Workers for tests: they say what a script says, and the time passes only while they hang.

use std::collections::VecDeque;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering::SeqCst};
use std::sync::{Arc, Barrier, Condvar, Mutex};
use std::time::{Duration, Instant};

use surefoot_model::{
    Experiment, Fingerprint, LaunchId, Run, RunOutcome, RunResult, Settings, Start, TestId,
};

use crate::{Report, Runtime, StartError, Stop, Worker};

/// What becomes of one attempt to start a VM.
#[derive(Debug, Clone)]
pub(crate) enum Script {
    /// Passes all tests that it is handed.
    Behaves,
    /// Does these things, then hangs.
    Plays(Vec<Step>),
    FailsToStart(&'static str),
    PanicsAtStart,
}

/// What a VM does when it is asked for the next report.
#[derive(Debug, Clone)]
#[allow(clippy::large_enum_variant, reason = "scripts are short")]
pub(crate) enum Step {
    Says(Report),
    /// Behaves from here on, whatever it was handed.
    Behaves,
    Panics,
    /// The user presses Ctrl-C.
    Stops,
    /// Waits until somebody has stopped the pool.
    AwaitsStop,
    /// Waits until so many VMs were started in all.
    AwaitsStarts(usize),
    /// Waits for others that do the same.
    Meets(Arc<Barrier>),
}

/// Each start takes the next script for its launch; when there is none left, VMs behave.
#[derive(Clone)]
pub(crate) struct ScriptedRuntime(Arc<Stage>);

struct Stage {
    epoch: Instant,
    passed_ms: AtomicU64,
    scripts: Mutex<Vec<(Option<LaunchId>, Script)>>,
    attempts: AtomicUsize,
    started: Mutex<usize>,
    another_started: Condvar,
    alive: AtomicUsize,
    killed: AtomicUsize,
    starts: Mutex<Vec<Start>>,
    submitted: Mutex<Vec<Vec<TestId>>>,
    stop: Stop,
}

impl ScriptedRuntime {
    /// Scripts for any launch, in the order of the starts. Where a spare is started, that order is open.
    pub(crate) fn new(scripts: impl IntoIterator<Item = Script>) -> Self {
        ScriptedRuntime::with(scripts.into_iter().map(|script| (None, script)))
    }

    /// Scripts, each for a launch with this name.
    pub(crate) fn by_launch<const N: usize>(scripts: [(&str, Script); N]) -> Self {
        ScriptedRuntime::with(scripts.map(|(name, script)| (Some(launch(name)), script)))
    }

    fn with(scripts: impl IntoIterator<Item = (Option<LaunchId>, Script)>) -> Self {
        ScriptedRuntime(Arc::new(Stage {
            epoch: Instant::now(),
            passed_ms: AtomicU64::new(0),
            scripts: Mutex::new(scripts.into_iter().collect()),
            attempts: AtomicUsize::new(0),
            started: Mutex::new(0),
            another_started: Condvar::new(),
            alive: AtomicUsize::new(0),
            killed: AtomicUsize::new(0),
            starts: Mutex::default(),
            submitted: Mutex::default(),
            stop: Stop::new(),
        }))
    }

    pub(crate) fn now(&self) -> Instant {
        self.0.epoch + Duration::from_millis(self.0.passed_ms.load(SeqCst))
    }

    /// The flag that [`Step::Stops`] sets.
    pub(crate) fn stop(&self) -> &Stop {
        &self.0.stop
    }

    pub(crate) fn attempts(&self) -> usize {
        self.0.attempts.load(SeqCst)
    }

    pub(crate) fn vms_started(&self) -> usize {
        *self.0.started.lock().unwrap()
    }

    pub(crate) fn vms_alive(&self) -> usize {
        self.0.alive.load(SeqCst)
    }

    pub(crate) fn vms_killed(&self) -> usize {
        self.0.killed.load(SeqCst)
    }

    /// How each VM was to be started, in time.
    pub(crate) fn starts(&self) -> Vec<Start> {
        self.0.starts.lock().unwrap().clone()
    }

    /// What each VM that was given work was given, in time.
    pub(crate) fn submitted(&self) -> Vec<Vec<TestId>> {
        self.0.submitted.lock().unwrap().clone()
    }
}

impl Runtime for ScriptedRuntime {
    fn start(&self, launch: &LaunchId, start: Start) -> Result<Box<dyn Worker>, StartError> {
        let stage = Arc::clone(&self.0);
        stage.starts.lock().unwrap().push(start);
        stage.attempts.fetch_add(1, SeqCst);
        let mut scripts = stage.scripts.lock().unwrap();
        let next = scripts.iter().position(|(of, _)| of.as_ref().is_none_or(|of| of == launch));
        let script = next.map_or(Script::Behaves, |next| scripts.remove(next).1);
        drop(scripts);
        let steps = match script {
            Script::Behaves => VecDeque::from([Step::Behaves]),
            Script::Plays(steps) => steps.into(),
            Script::FailsToStart(what) => {
                return Err(StartError { what: what.to_owned() });
            }
            Script::PanicsAtStart => panic!("a script said so"),
        };
        *stage.started.lock().unwrap() += 1;
        stage.another_started.notify_all();
        stage.alive.fetch_add(1, SeqCst);
        Ok(Box::new(ScriptedWorker { stage, steps, handed: 0 }))
    }
}

struct ScriptedWorker {
    stage: Arc<Stage>,
    steps: VecDeque<Step>,
    /// How many tests it was handed and is not done with; it behaves only if there are any.
    handed: usize,
}

impl Worker for ScriptedWorker {
    fn submit(&mut self, tests: &[TestId], _: &Settings) {
        self.stage.submitted.lock().unwrap().push(tests.to_vec());
        self.handed = tests.len();
    }

    fn next(&mut self, patience: Duration) -> Report {
        loop {
            // A VM that has nothing to do yet does nothing, except that it may die.
            let may_act = self.handed > 0
                || matches!(self.steps.front(), Some(Step::Says(Report::Gone { .. })));
            match if may_act { self.steps.pop_front() } else { None } {
                Some(Step::Says(report)) => {
                    if matches!(report, Report::Done { .. }) {
                        self.handed = 0;
                    }
                    return report;
                }
                Some(Step::Behaves) => {
                    self.steps.extend((0..self.handed).flat_map(|run| {
                        [Step::Says(Report::Started { run }), Step::Says(passed(run))]
                    }));
                    self.steps.push_back(Step::Says(done("")));
                }
                Some(Step::Panics) => panic!("a script said so"),
                Some(Step::Stops) => self.stage.stop.set(),
                Some(Step::AwaitsStop) => {
                    while !self.stage.stop.is_set() {
                        std::thread::yield_now();
                    }
                }
                Some(Step::AwaitsStarts(count)) => {
                    let started = self.stage.started.lock().unwrap();
                    let limit = Duration::from_secs(60);
                    let too_few = |started: &mut usize| *started < count;
                    let waited =
                        self.stage.another_started.wait_timeout_while(started, limit, too_few);
                    assert!(!waited.unwrap().1.timed_out(), "fewer than {count} VMs were started");
                }
                Some(Step::Meets(others)) => {
                    others.wait();
                }
                None => {
                    let millis = u64::try_from(patience.as_millis()).unwrap();
                    self.stage.passed_ms.fetch_add(millis, SeqCst);
                    return Report::Quiet;
                }
            }
        }
    }

    fn kill(&mut self) {
        self.stage.killed.fetch_add(1, SeqCst);
    }

    fn output(&self) -> String {
        "last words".to_owned()
    }
}

impl Drop for ScriptedWorker {
    fn drop(&mut self) {
        self.stage.alive.fetch_sub(1, SeqCst);
    }
}

pub(crate) const LIMIT_MS: u64 = 1000;

/// Its tests are named by the letters of `tests`, its launch is called "java".
pub(crate) fn experiment(id: u64, tests: &str) -> Experiment {
    experiment_of("java", id, tests)
}

pub(crate) fn experiment_of(launch_name: &str, id: u64, tests: &str) -> Experiment {
    let run = |test: char| Run { test: TestId(test.to_string()), limit_ms: LIMIT_MS };
    Experiment {
        id,
        purpose: "test".to_owned(),
        launch: launch(launch_name),
        runs: tests.chars().map(run).collect(),
        settings: Settings::default(),
    }
}

pub(crate) fn launch(name: &str) -> LaunchId {
    LaunchId(Fingerprint::of([name]))
}

pub(crate) fn passed(run: usize) -> Report {
    finished(run, RunResult::Passed)
}

pub(crate) fn finished(run: usize, result: RunResult) -> Report {
    Report::Finished {
        run,
        result,
        duration: Duration::from_millis(7),
        change: None,
        choices: None,
    }
}

pub(crate) fn done(not_run: &str) -> Report {
    Report::Done { not_run: not_run.to_owned() }
}

/// Runs as a table: test, result, VM, and whether there is output.
pub(crate) fn table(runs: &[RunOutcome]) -> Vec<String> {
    let row = |run: &RunOutcome| {
        let output = if run.output.is_some() { " with output" } else { "" };
        format!("{} {} in VM {}{output}", run.test, run.result.word(), run.vm)
    };
    runs.iter().map(row).collect()
}
