//! The main loop: gives experiments to slots and passes on what they tell.

use std::sync::{Arc, mpsc};
use std::thread;
use std::time::Instant;

use surefoot_model::{Experiment, Outcome};

use crate::clean::CleanVms;
use crate::slot::{Clock, Row, Slot, Told};
use crate::starter::Starter;
use crate::{Progress, Runtime, Stop, Worker};

/// A number of slots, each of which runs one experiment at a time.
#[derive(Debug, Clone)]
pub struct Pool {
    jobs: usize,
}

/// What came of all experiments.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Outcomes {
    /// In the order of the experiments. If the user stopped, then experiments that never started are
    /// absent, and those that were interrupted hold only the runs that ended.
    pub outcomes: Vec<Outcome>,
    /// Some result is missing, because the user stopped.
    pub interrupted: bool,
}

impl Pool {
    /// At least one slot.
    pub fn new(jobs: usize) -> Self {
        Pool { jobs: jobs.max(1) }
    }

    /// How many experiments run at a time.
    pub fn jobs(&self) -> usize {
        self.jobs
    }

    /// Runs the experiments, started in their order, and returns once no VM is left.
    ///
    /// `on` is called on this thread, as things happen. If it panics, then `stop` is set, so that the
    /// panic gets through soon.
    pub fn run(
        &self,
        runtime: &dyn Runtime,
        experiments: &[Experiment],
        stop: &Stop,
        on: &mut dyn FnMut(Progress),
    ) -> Outcomes {
        self.run_by(&Instant::now, runtime, experiments, stop, on)
    }

    /// This thread alone owns the queue, the outcomes and the spare; slots only tell it things.
    ///
    /// The spare is a VM that warms up for the next experiment in the queue while others work. There is
    /// one for the whole pool: a VM that warms up wants a core and the memory of a test VM, and with a
    /// slot for each core, more of them would slow the tests down instead of hiding a wait. Where a VM that is as good as new is
    /// left over from another experiment, and will do, the spare keeps waiting.
    fn run_by(
        &self,
        clock: &Clock<'_>,
        runtime: &dyn Runtime,
        experiments: &[Experiment],
        stop: &Stop,
        on: &mut dyn FnMut(Progress),
    ) -> Outcomes {
        let clean = &CleanVms::at_most(self.jobs);
        let (sender, told) = mpsc::channel();
        let mut outcomes = vec![None; experiments.len()];
        thread::scope(|scope| {
            let _stop = StopOnPanic(stop);
            let starter = Arc::new(Starter::new(scope, runtime));
            let mut waiting = in_a_row(experiments).into_iter().peekable();
            let mut spare: Option<(&Experiment, Box<dyn Worker>)> = None;
            let mut spare_tried_for = None;
            let mut busy = 0;
            loop {
                while busy < self.jobs
                    && !stop.is_set()
                    && let Some(row) = waiting.next()
                {
                    let (_, experiment) = row[0];
                    let reuse = &experiment.settings.reuse;
                    let left_over = reuse.as_ref().and_then(|_| clean.take(&experiment.launch));
                    let waiting_vm = left_over.or_else(|| {
                        let spare = spare.take_if(|(of, _)| start_alike(of, experiment));
                        spare.map(|(_, vm)| vm)
                    });
                    let (sender, starter) = (sender.clone(), Arc::clone(&starter));
                    let tell = move |told| drop(sender.send(told));
                    let slot = Slot { starter, clean, stop, clock, tell };
                    scope.spawn(move || slot.run(&row, waiting_vm));
                    busy += 1;
                }
                if busy == 0 {
                    break;
                }
                if let Some((place, next)) = waiting.peek().map(|row| row[0])
                    && spare_tried_for != Some(place)
                    && spare.as_ref().is_none_or(|(of, _)| !start_alike(of, next))
                    && !next.runs.is_empty()
                    && !stop.is_set()
                {
                    let vm = starter.spare(&next.launch, next.settings.start);
                    spare = vm.map(|vm| (next, vm));
                    spare_tried_for = Some(place);
                }
                // Never an error, as `sender` outlives the loop.
                match told.recv() {
                    Err(_) => break,
                    Ok(Told::Free) => busy -= 1,
                    Ok(Told::Progress(place, progress)) => {
                        if let Progress::ExperimentFinished(outcome)
                        | Progress::ExperimentInterrupted(outcome) = &progress
                        {
                            outcomes[place] = Some(outcome.clone());
                        }
                        on(progress);
                    }
                }
            }
        });
        gathered(experiments, outcomes)
    }
}

/// A new VM for one of them will do for the other.
fn start_alike(one: &Experiment, other: &Experiment) -> bool {
    one.launch == other.launch && one.settings.start == other.settings.start
}

/// What goes on in the VM of another one comes right after it.
fn in_a_row(experiments: &[Experiment]) -> Vec<Row<'_>> {
    let mut rows: Vec<Row<'_>> = Vec::new();
    for (place, experiment) in experiments.iter().enumerate() {
        let goes_on = |row: &&mut Row<'_>| {
            let (after, last) = (experiment.settings.after.as_ref(), row.last());
            let last = last.filter(|(_, last)| last.launch == experiment.launch);
            after.zip(last).is_some_and(|(after, (_, last))| after.experiment == last.id)
        };
        match rows.iter_mut().find(goes_on) {
            Some(row) => row.push((place, experiment)),
            None => rows.push(vec![(place, experiment)]),
        }
    }
    rows
}

fn gathered(experiments: &[Experiment], outcomes: Vec<Option<Outcome>>) -> Outcomes {
    let is_whole = |(experiment, outcome): (&Experiment, &Option<Outcome>)| {
        outcome.as_ref().is_some_and(|outcome| outcome.runs.len() == experiment.runs.len())
    };
    let interrupted = !experiments.iter().zip(&outcomes).all(is_whole);
    Outcomes { outcomes: outcomes.into_iter().flatten().collect(), interrupted }
}

/// Without it, a panic would wait until the slots are through with their experiments.
struct StopOnPanic<'a>(&'a Stop);

impl Drop for StopOnPanic<'_> {
    fn drop(&mut self) {
        if thread::panicking() {
            self.0.set();
        }
    }
}

#[cfg(test)]
mod tests;
