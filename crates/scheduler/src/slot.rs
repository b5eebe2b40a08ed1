//! Takes one experiment, and what goes on in its VM, through as many VMs as it needs.

use std::sync::Arc;
use std::time::{Duration, Instant};

use surefoot_model::{Experiment, Start};

use crate::clean::CleanVms;
use crate::conduct::{Conduct, End, History};
use crate::panics::caught;
use crate::starter::Starter;
use crate::{Progress, Report, StartError, Stop, Worker};

/// How long a slot waits for a report before it looks whether the user wants to stop.
const STOP_POLL: Duration = Duration::from_millis(50);

/// What the time is. Tests have their own.
pub(crate) type Clock<'a> = dyn Fn() -> Instant + Sync + 'a;

/// Experiments, each with its place among all, that run one after the other in one VM.
pub(crate) type Row<'a> = Vec<(usize, &'a Experiment)>;

/// What a slot says.
pub(crate) enum Told {
    /// Of the experiment at this place.
    Progress(usize, Progress),
    /// It has nothing more to do.
    Free,
}

/// What it takes to run experiments, on a thread of their own.
pub(crate) struct Slot<'a, T: Fn(Told)> {
    pub(crate) starter: Arc<Starter>,
    pub(crate) clean: &'a CleanVms,
    pub(crate) stop: &'a Stop,
    pub(crate) clock: &'a Clock<'a>,
    pub(crate) tell: T,
}

impl<T: Fn(Told)> Slot<'_, T> {
    /// Never panics, and the last thing it tells of each experiment is that it finished or was interrupted.
    pub(crate) fn run(self, row: &Row<'_>, mut vm: Option<Box<dyn Worker>>) {
        let mut history = History::default();
        for (number, (place, experiment)) in row.iter().enumerate() {
            if number > 0 && self.stop.is_set() {
                break;
            }
            let tell = |progress| (self.tell)(Told::Progress(*place, progress));
            let last = number + 1 == row.len();
            let part = Part { slot: &self, experiment, last, tell };
            vm = part.run(vm.take(), &mut history);
        }
        drop(vm);
        (self.tell)(Told::Free);
    }
}

/// One experiment of a slot.
struct Part<'s, 'a, S: Fn(Told), T: Fn(Progress)> {
    slot: &'s Slot<'a, S>,
    experiment: &'s Experiment,
    /// Nothing goes on in its VM.
    last: bool,
    tell: T,
}

impl<S: Fn(Told), T: Fn(Progress)> Part<'_, '_, S, T> {
    /// The VM, if another experiment goes on in it.
    fn run(self, vm: Option<Box<dyn Worker>>, history: &mut History) -> Option<Box<dyn Worker>> {
        (self.tell)(Progress::ExperimentStarted { experiment: self.experiment.id });
        let mut conduct = Conduct::new(self.experiment, (self.slot.clock)());
        conduct.go_on_after(history, &self.tell);
        let mut left = None;
        match caught(|| self.through_vms(&mut conduct, vm)) {
            Ok(vm) => left = vm,
            Err(panic) => {
                conduct.trouble(panic.clone(), &self.tell);
                conduct.give_up(&panic, &self.tell);
            }
        }
        let ended = if conduct.is_complete() {
            Progress::ExperimentFinished
        } else {
            Progress::ExperimentInterrupted
        };
        let outcome = conduct.outcome();
        history.add(&outcome);
        (self.tell)(ended(outcome));
        left
    }

    /// Returns with a result for each run, or early if the user wants to stop.
    fn through_vms(
        &self,
        conduct: &mut Conduct<'_>,
        vm: Option<Box<dyn Worker>>,
    ) -> Option<Box<dyn Worker>> {
        let stop = self.slot.stop;
        let mut start = self.experiment.settings.start;
        let mut vm = vm.and_then(|vm| self.if_alive(vm, conduct));
        while !conduct.is_complete() && !stop.is_set() {
            let mut worker = match vm.take().map_or_else(|| self.start(start, conduct), Ok) {
                Ok(worker) => worker,
                Err(_) if stop.is_set() => return None,
                Err(error) => {
                    conduct.give_up(&error.to_string(), &self.tell);
                    return None;
                }
            };
            worker.submit(&conduct.hand_over((self.slot.clock)()), &self.experiment.settings);
            let Some(end) = self.listen(&mut *worker, conduct) else {
                worker.kill();
                return None;
            };
            let ended_at = (self.slot.clock)();
            match end {
                End::TimedOut => worker.kill(),
                End::NotForked => start = Start::Plain,
                End::Done { .. } | End::Died { .. } => {}
            }
            let done = matches!(end, End::Done { .. });
            conduct.close(end, &worker.output(), ended_at, &self.tell);
            let reuse = self.experiment.settings.reuse.as_ref();
            if done && !self.last {
                vm = Some(worker);
            } else if done && reuse.is_some_and(|reuse| conduct.leaves_as_good_as_new(reuse)) {
                self.slot.clean.put(&self.experiment.launch, worker);
            }
        }
        vm
    }

    /// Until the VM's part is over; none if the user wants to stop.
    fn listen(&self, worker: &mut dyn Worker, conduct: &mut Conduct<'_>) -> Option<End> {
        let now = || (self.slot.clock)();
        loop {
            let patience = conduct.patience(now());
            let report = worker.next(patience.min(STOP_POLL));
            if self.slot.stop.is_set() {
                // What stops us may also have ended the VM: its death then is nobody's result.
                if matches!(report, Report::Finished { .. }) {
                    conduct.hear(report, now(), &self.tell);
                }
                return None;
            }
            let end = conduct.hear(report, now(), &self.tell);
            if end.is_some() {
                return end;
            }
        }
    }

    fn start(&self, start: Start, conduct: &Conduct<'_>) -> Result<Box<dyn Worker>, StartError> {
        let trouble = |error: StartError| conduct.trouble(error.to_string(), &self.tell);
        self.slot.starter.start(&self.experiment.launch, start, trouble)
    }

    /// A VM that died while it waited was not yet handed anything, so no run is to blame.
    fn if_alive(
        &self,
        mut spare: Box<dyn Worker>,
        conduct: &Conduct<'_>,
    ) -> Option<Box<dyn Worker>> {
        match spare.next(Duration::ZERO) {
            Report::Gone { death } => {
                conduct.trouble(format!("before it was given any test, {death}"), &self.tell);
                return None;
            }
            Report::NotForked => return None,
            Report::Trouble { what } => conduct.trouble(what, &self.tell),
            _ => {}
        }
        Some(spare)
    }
}
