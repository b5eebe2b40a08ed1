//! Decides what the result of each run of one experiment is, from the reports of its VMs.
//!
//! Pure: reports and the time go in, results and the end of the VM's part come out. No VM is touched.

use std::collections::BTreeMap;
use std::time::{Duration, Instant};

use surefoot_model::{
    After, ClassChange, Death, Experiment, Outcome, Reuse, RunChange, RunChoices, RunOutcome,
    RunResult, TestId,
};

use crate::{Progress, Report};

/// What may pass before a test starts, on top of its own limit: a new VM loads itself, the framework and
/// the classes, and class-level set-up may start a server. Too short a time would blame a test for it;
/// too long a one only costs time in the rare VM that hangs outside its tests.
pub const START_ALLOWANCE: Duration = Duration::from_secs(60);

/// What class-level tear-down may take after the last test. Nobody's result depends on it, but other
/// tests may on what it cleans up.
pub const END_ALLOWANCE: Duration = Duration::from_secs(60);

/// Where an experiment stands.
///
/// A VM is [handed](Conduct::hand_over) all runs that have no result yet, [heard](Conduct::hear) until
/// its part is over, and [closed](Conduct::close). Closing gives at least one run a result, so there are
/// never more VMs than runs.
pub(crate) struct Conduct<'e> {
    experiment: &'e Experiment,
    /// The outcome of each run, once it has one.
    ended: Vec<Option<RunOutcome>>,
    class_changes: Vec<ClassChange>,
    vm: u32,
    /// The runs that this VM was handed: its index of a run, to ours.
    handed: Vec<usize>,
    /// The runs that started in this VM and have no result, and when they started. More than one, if
    /// the user's framework runs tests in parallel.
    active: BTreeMap<usize, Instant>,
    /// When the VM was handed its runs or last finished one.
    idle_since: Instant,
}

/// Why a VM's part in an experiment is over.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum End {
    Done {
        not_run: String,
    },
    Died {
        death: Death,
    },
    TimedOut,
    /// It never was there, so nothing came of it: the runs are handed over to another one.
    NotForked,
}

/// How tests ended in the experiments of one VM.
#[derive(Debug, Default)]
pub(crate) struct History(BTreeMap<TestId, Past>);

#[derive(Debug, Default)]
struct Past {
    failures: u32,
    /// It came to a choice, or nobody knows.
    chose: bool,
}

impl History {
    /// Why a test need not run after all that, if so.
    fn leaves_out(&self, test: &TestId, after: &After) -> Option<&'static str> {
        match self.0.get(test)? {
            past if past.failures >= after.enough => Some("it has failed often enough"),
            past if after.choosing && !past.chose => Some("it comes to no choice"),
            _ => None,
        }
    }

    pub(crate) fn add(&mut self, outcome: &Outcome) {
        for run in outcome.runs.iter().filter(|run| run.result.has_ended()) {
            let past = self.0.entry(run.test.clone()).or_default();
            past.failures += u32::from(run.result.is_bad());
            past.chose |= run.choices.as_ref().is_none_or(|choices| choices.reached > 0);
        }
    }
}

/// A run that the VM is at, or whose set-up it is at.
struct Pending {
    run: usize,
    since: Instant,
    limit: Duration,
}

impl Pending {
    fn is_overdue(&self, now: Instant) -> bool {
        left(self.limit, self.since, now).is_zero()
    }
}

/// How a run ended.
struct Ended {
    result: RunResult,
    duration: Duration,
    change: Option<RunChange>,
    choices: Option<Box<RunChoices>>,
    output: Option<String>,
}

impl<'e> Conduct<'e> {
    pub(crate) fn new(experiment: &'e Experiment, now: Instant) -> Self {
        Conduct {
            experiment,
            ended: vec![None; experiment.runs.len()],
            class_changes: Vec::new(),
            vm: 0,
            handed: Vec::new(),
            active: BTreeMap::new(),
            idle_since: now,
        }
    }

    /// Every run has a result.
    pub(crate) fn is_complete(&self) -> bool {
        self.next_run().is_none()
    }

    /// No run and no class-level set-up left anything different that counts, as far as that is looked at.
    pub(crate) fn leaves_as_good_as_new(&self, reuse: &Reuse) -> bool {
        let is_fine = |run: &Option<RunOutcome>| {
            run.as_ref().is_some_and(|run| run.leaves_as_good_as_new(reuse))
        };
        let classes = &self.class_changes;
        self.ended.iter().all(is_fine)
            && classes.iter().all(|class| class.change.leaves_nothing_but(&reuse.set))
    }

    /// The results so far, in the order of the runs.
    pub(crate) fn outcome(self) -> Outcome {
        let runs = self.ended.into_iter().flatten().collect();
        let class_changes = self.class_changes;
        Outcome { experiment: self.experiment.id, runs, class_changes, in_copy: false }
    }

    /// Some tests need not run after what happened in this VM.
    pub(crate) fn go_on_after(&mut self, history: &History, tell: &dyn Fn(Progress)) {
        let Some(after) = &self.experiment.settings.after else { return };
        let left_out = |run| Some((run, history.leaves_out(self.name(run), after)?));
        let runs: Vec<(usize, &str)> = self.without_result().filter_map(left_out).collect();
        for (run, reason) in runs {
            self.not_run(&[run], reason, tell);
        }
    }

    /// What a new VM has to run.
    pub(crate) fn hand_over(&mut self, now: Instant) -> Vec<TestId> {
        self.handed = self.without_result().collect();
        self.active.clear();
        self.idle_since = now;
        self.handed.iter().map(|&run| self.experiment.runs[run].test.clone()).collect()
    }

    /// Takes in a report, and says when it was the VM's last. What the report tells counts before the
    /// time does: a run that finished has not timed out, however late we hear of it.
    pub(crate) fn hear(
        &mut self,
        report: Report,
        now: Instant,
        tell: &dyn Fn(Progress),
    ) -> Option<End> {
        match report {
            Report::Started { run } => self.started(run, now, tell),
            Report::Finished { run, result, duration, change, choices } => {
                let ended = Ended { result, duration, change, choices, output: None };
                self.finished(run, ended, now, tell);
            }
            Report::ClassChanged(change) => self.class_changes.push(change),
            Report::Trouble { what } => self.trouble(what, tell),
            Report::Done { not_run } => return Some(End::Done { not_run }),
            Report::Gone { death } => return Some(End::Died { death }),
            Report::NotForked => return Some(End::NotForked),
            Report::Quiet => {}
        }
        self.patience(now).is_zero().then_some(End::TimedOut)
    }

    /// How long the VM may still take for what it is at.
    pub(crate) fn patience(&self, now: Instant) -> Duration {
        let pending = self.pending().into_iter().map(|p| left(p.limit, p.since, now));
        pending.min().unwrap_or_else(|| left(END_ALLOWANCE, self.idle_since, now))
    }

    /// Gives a result to the runs that ended with the VM. `output` is the end of what it printed.
    pub(crate) fn close(&mut self, end: End, output: &str, now: Instant, tell: &dyn Fn(Progress)) {
        let mut blamed = self.pending();
        let what = match &end {
            End::Done { not_run } => return self.give_up(not_run, tell),
            End::NotForked => return,
            End::Died { death } => death.to_string(),
            End::TimedOut => {
                blamed.retain(|run| run.is_overdue(now));
                "the VM hung".to_owned()
            }
        };
        if blamed.is_empty() {
            self.trouble(format!("after its last test, {what}"), tell);
        }
        for Pending { run, since, limit } in blamed {
            let result = match &end {
                End::Died { death } => RunResult::Died { death: death.clone() },
                _ => RunResult::TimedOut { limit_ms: millis(limit) },
            };
            let duration = now.saturating_duration_since(since);
            let output = Some(output.to_owned());
            let ended = Ended { result, duration, change: None, choices: None, output };
            self.record(run, ended, tell);
        }
        self.vm += 1;
    }

    /// All runs without a result were not run.
    pub(crate) fn give_up(&mut self, reason: &str, tell: &dyn Fn(Progress)) {
        let runs: Vec<usize> = self.without_result().collect();
        self.not_run(&runs, reason, tell);
    }

    fn not_run(&mut self, runs: &[usize], reason: &str, tell: &dyn Fn(Progress)) {
        for &run in runs {
            let result = RunResult::NotRun { reason: reason.to_owned() };
            let duration = Duration::ZERO;
            let ended = Ended { result, duration, change: None, choices: None, output: None };
            self.record(run, ended, tell);
        }
    }

    pub(crate) fn trouble(&self, what: String, tell: &dyn Fn(Progress)) {
        tell(Progress::Trouble { experiment: self.experiment.id, what });
    }

    fn started(&mut self, run: usize, now: Instant, tell: &dyn Fn(Progress)) {
        let Some(run) = self.known(run, tell) else {
            return;
        };
        if self.ended[run].is_some() || self.active.contains_key(&run) {
            return self.trouble(format!("{} was started again", self.name(run)), tell);
        }
        self.active.insert(run, now);
    }

    fn finished(&mut self, run: usize, ended: Ended, now: Instant, tell: &dyn Fn(Progress)) {
        let Some(run) = self.known(run, tell) else {
            return;
        };
        if self.ended[run].is_some() {
            let again = ended.result.word();
            let what =
                format!("{} finished again ({again}); its first result counts", self.name(run));
            return self.trouble(what, tell);
        }
        self.idle_since = now;
        self.record(run, ended, tell);
    }

    /// Our index of the VM's run.
    fn known(&self, run: usize, tell: &dyn Fn(Progress)) -> Option<usize> {
        let known = self.handed.get(run).copied();
        if known.is_none() {
            let handed = self.handed.len();
            let what = format!("the test VM told of run number {run}, but has only {handed}");
            self.trouble(what, tell);
        }
        known
    }

    fn record(&mut self, run: usize, ended: Ended, tell: &dyn Fn(Progress)) {
        let outcome = RunOutcome {
            test: self.experiment.runs[run].test.clone(),
            result: ended.result,
            duration_ms: millis(ended.duration),
            vm: self.vm,
            change: ended.change,
            choices: ended.choices,
            output: ended.output,
        };
        self.active.remove(&run);
        self.ended[run] = Some(outcome.clone());
        let (experiment, outcome) = (self.experiment.id, Box::new(outcome));
        tell(Progress::RunFinished { experiment, index: run, outcome });
    }

    /// The runs to blame if the VM ended now: those that started, or else the next one, whose set-up
    /// must be under way. None once all have a result.
    fn pending(&self) -> Vec<Pending> {
        if self.active.is_empty() {
            let next = self.next_run().map(|run| Pending {
                run,
                since: self.idle_since,
                limit: self.limit(run).saturating_add(START_ALLOWANCE),
            });
            return next.into_iter().collect();
        }
        let active = self.active.iter();
        active.map(|(&run, &since)| Pending { run, since, limit: self.limit(run) }).collect()
    }

    fn without_result(&self) -> impl Iterator<Item = usize> {
        (0..self.ended.len()).filter(|&run| self.ended[run].is_none())
    }

    fn next_run(&self) -> Option<usize> {
        self.without_result().next()
    }

    fn limit(&self, run: usize) -> Duration {
        Duration::from_millis(self.experiment.runs[run].limit_ms)
    }

    fn name(&self, run: usize) -> &TestId {
        &self.experiment.runs[run].test
    }
}

fn left(limit: Duration, since: Instant, now: Instant) -> Duration {
    limit.saturating_sub(now.saturating_duration_since(since))
}

fn millis(duration: Duration) -> u64 {
    u64::try_from(duration.as_millis()).unwrap_or(u64::MAX)
}

#[cfg(test)]
mod tests;
