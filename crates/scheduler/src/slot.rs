//! Takes one experiment through as many VMs as it needs.

use std::sync::Arc;
use std::time::{Duration, Instant};

use surefoot_model::Experiment;

use crate::clean::CleanVms;
use crate::conduct::{Conduct, End};
use crate::panics::caught;
use crate::starter::Starter;
use crate::{Progress, Report, StartError, Stop, Worker};

/// How long a slot waits for a report before it looks whether the user wants to stop.
const STOP_POLL: Duration = Duration::from_millis(50);

/// What the time is. Tests have their own.
pub(crate) type Clock<'a> = dyn Fn() -> Instant + Sync + 'a;

/// One experiment, on its own thread.
pub(crate) struct Slot<'a, T: Fn(Progress)> {
    pub(crate) experiment: &'a Experiment,
    pub(crate) starter: Arc<Starter>,
    pub(crate) clean: &'a CleanVms,
    pub(crate) stop: &'a Stop,
    pub(crate) clock: &'a Clock<'a>,
    pub(crate) tell: T,
}

impl<T: Fn(Progress)> Slot<'_, T> {
    /// Never panics, and the last thing it tells is that the experiment finished or was interrupted.
    pub(crate) fn run(self, spare: Option<Box<dyn Worker>>) {
        (self.tell)(Progress::ExperimentStarted { experiment: self.experiment.id });
        let mut conduct = Conduct::new(self.experiment, (self.clock)());
        if let Err(panic) = caught(|| self.through_vms(&mut conduct, spare)) {
            conduct.trouble(panic.clone(), &self.tell);
            conduct.give_up(&panic, &self.tell);
        }
        let ended = if conduct.is_complete() {
            Progress::ExperimentFinished
        } else {
            Progress::ExperimentInterrupted
        };
        (self.tell)(ended(conduct.outcome()));
    }

    /// Returns with a result for each run, or early if the user wants to stop.
    fn through_vms(&self, conduct: &mut Conduct<'_>, spare: Option<Box<dyn Worker>>) {
        let mut spare = spare.and_then(|spare| self.if_alive(spare, conduct));
        while !conduct.is_complete() && !self.stop.is_set() {
            let mut worker = match spare.take().map_or_else(|| self.start(conduct), Ok) {
                Ok(worker) => worker,
                Err(_) if self.stop.is_set() => return,
                Err(error) => return conduct.give_up(&error.to_string(), &self.tell),
            };
            worker.submit(&conduct.hand_over((self.clock)()), &self.experiment.settings);
            let Some(end) = self.listen(&mut *worker, conduct) else {
                return worker.kill();
            };
            let ended_at = (self.clock)();
            if end == End::TimedOut {
                worker.kill();
            }
            let done = matches!(end, End::Done { .. });
            conduct.close(end, &worker.output(), ended_at, &self.tell);
            let reuse = self.experiment.settings.reuse.as_ref();
            if done && reuse.is_some_and(|reuse| conduct.leaves_as_good_as_new(reuse)) {
                self.clean.put(&self.experiment.launch, worker);
            }
        }
    }

    /// Until the VM's part is over; none if the user wants to stop.
    fn listen(&self, worker: &mut dyn Worker, conduct: &mut Conduct<'_>) -> Option<End> {
        loop {
            let patience = conduct.patience((self.clock)());
            let report = worker.next(patience.min(STOP_POLL));
            if self.stop.is_set() {
                // What stops us may also have ended the VM: its death then is nobody's result.
                if matches!(report, Report::Finished { .. }) {
                    conduct.hear(report, (self.clock)(), &self.tell);
                }
                return None;
            }
            let end = conduct.hear(report, (self.clock)(), &self.tell);
            if end.is_some() {
                return end;
            }
        }
    }

    fn start(&self, conduct: &Conduct<'_>) -> Result<Box<dyn Worker>, StartError> {
        let trouble = |error: StartError| conduct.trouble(error.to_string(), &self.tell);
        self.starter.start(&self.experiment.launch, trouble)
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
            Report::Trouble { what } => conduct.trouble(what, &self.tell),
            _ => {}
        }
        Some(spare)
    }
}
