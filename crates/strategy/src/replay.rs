//! The simplest technique: run the suite again as it was, and see whether every test ends as before.
//!
//! It serves two ends. Workers are trusted only for tests that pass in them as they did when watched. And a test that ends
//! differently in experiments that are the same is flaky, whatever the reason.

use std::collections::BTreeMap;
use std::fmt;

use surefoot_model::{Experiment, Finding, Outcome, RunResult, Standing, TestId, Watch};

use crate::comparison::compare;
use crate::flaky::{Alike, flaky};
use crate::plan::{FreshVm, Limits, Plan};
use crate::strategy::Strategy;

/// How often a test that ended differently is run alone, each time in a fresh VM.
const ALONE: u32 = 5;

/// More suspects than this are the sign of an environment that differs, not of flaky tests.
const MOST_SUSPECTS: usize = 100;

#[derive(Debug)]
pub struct Replay<'a> {
    watch: &'a Watch,
    limits: Limits,
    round: Round,
    replays: u32,
    /// Experiments of all rounds, by id.
    proposed: BTreeMap<u64, Experiment>,
    outcomes: Vec<Outcome>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Round {
    Suite,
    Alone,
    Done,
}

/// What is the same for runs of a test that should end the same.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
struct Setting {
    purpose: String,
    /// Runs of the same test before this one in the VM: the second run is another thing than the first.
    before: usize,
}

impl fmt::Display for Setting {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.before {
            0 => {}
            before => write!(f, "as run {} of it ", before + 1)?,
        }
        f.write_str(if self.purpose == "alone" {
            "alone in a fresh VM"
        } else {
            "in the whole suite"
        })
    }
}

impl<'a> Replay<'a> {
    /// `replays`: how often the whole suite is run again.
    pub fn new(watch: &'a Watch, replays: u32, limits: Limits) -> Self {
        Replay {
            watch,
            limits,
            round: Round::Suite,
            replays,
            proposed: BTreeMap::new(),
            outcomes: Vec::new(),
        }
    }

    /// How many tests ended differently but were not looked at again, because they were too many.
    pub fn unconfirmed(&self) -> usize {
        self.suspects().len().saturating_sub(MOST_SUSPECTS)
    }

    /// All outcomes so far.
    pub fn outcomes(&self) -> &[Outcome] {
        &self.outcomes
    }

    fn suite(&self) -> Vec<Experiment> {
        let plan = Plan { limits: self.limits, rounds: self.replays, ..Plan::default() };
        let tests: Vec<TestId> = self.watch.tests.keys().cloned().collect();
        plan.experiments(self.watch, &tests, "replay", self.next_id())
    }

    /// Tests that did not end as they did before.
    fn suspects(&self) -> Vec<TestId> {
        compare(self.watch, &self.outcomes)
            .into_iter()
            .filter(|comparison| comparison.standing != Standing::AsWatched)
            .map(|comparison| comparison.test.clone())
            .collect()
    }

    fn alone(&self) -> Vec<Experiment> {
        let mut suspects = self.suspects();
        suspects.truncate(MOST_SUSPECTS);
        let fresh_vm = FreshVm::Test;
        let plan = Plan { limits: self.limits, fresh_vm, rounds: ALONE, ..Plan::default() };
        plan.experiments(self.watch, &suspects, "alone", self.next_id())
    }

    /// The number of the next experiment of the same run of Surefoot.
    pub fn next_id(&self) -> u64 {
        self.proposed.len() as u64 + 1
    }

    /// Results of each test in settings that are the same: the same purpose, and as many runs of the test before it in its VM.
    fn results_by_setting(&self) -> BTreeMap<(&TestId, Setting), Vec<&RunResult>> {
        let mut results: BTreeMap<(&TestId, Setting), Vec<&RunResult>> = BTreeMap::new();
        for outcome in &self.outcomes {
            let Some(experiment) = self.proposed.get(&outcome.experiment) else {
                continue;
            };
            let mut runs_before: BTreeMap<&TestId, usize> = BTreeMap::new();
            // A VM that died takes what ran before it with it: runs in its successor are another experiment.
            for run in outcome.runs.iter().filter(|run| run.vm == 0) {
                let before = runs_before.entry(&run.test).or_default();
                let setting = Setting { purpose: experiment.purpose.clone(), before: *before };
                *before += 1;
                results.entry((&run.test, setting)).or_default().push(&run.result);
            }
        }
        results
    }
}

impl Strategy for Replay<'_> {
    fn name(&self) -> &'static str {
        match self.round {
            Round::Suite => "replay",
            Round::Alone | Round::Done => "confirm",
        }
    }

    fn propose(&mut self) -> Vec<Experiment> {
        let experiments = match self.round {
            Round::Suite => self.suite(),
            Round::Alone => self.alone(),
            Round::Done => Vec::new(),
        };
        self.proposed
            .extend(experiments.iter().map(|experiment| (experiment.id, experiment.clone())));
        experiments
    }

    fn observe(&mut self, outcomes: Vec<Outcome>) {
        self.outcomes.extend(outcomes);
        self.round = match self.round {
            Round::Suite => Round::Alone,
            Round::Alone | Round::Done => Round::Done,
        };
    }

    fn findings(&self) -> Vec<Finding> {
        let results = self.results_by_setting();
        let mut by_test: BTreeMap<&TestId, Vec<Alike<'_>>> = BTreeMap::new();
        for ((test, setting), results) in results {
            let (label, setting) = (setting.purpose.clone(), setting.to_string());
            by_test.entry(test).or_default().push(Alike { label, setting, results });
        }
        by_test.into_iter().filter_map(|(test, settings)| flaky(test, &settings)).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::samples::{failed, outcome, watch};
    use surefoot_model::Confidence;

    /// Plays the suite, then the suspects alone, with results by (purpose, test, how often it ran there).
    fn play(
        watch: &Watch,
        result: impl Fn(&str, &str, usize) -> RunResult,
    ) -> (Vec<Finding>, Vec<String>) {
        let mut replay = Replay::new(watch, 2, Limits::default());
        let mut purposes = Vec::new();
        loop {
            let experiments = replay.propose();
            if experiments.is_empty() {
                return (replay.findings(), purposes);
            }
            let mut counts: BTreeMap<String, usize> = BTreeMap::new();
            let outcomes = experiments.iter().map(|experiment| {
                purposes.push(experiment.purpose.clone());
                let runs: Vec<(&str, RunResult)> = experiment
                    .runs
                    .iter()
                    .map(|run| {
                        let count = counts.entry(run.test.0.clone()).or_default();
                        *count += 1;
                        (run.test.as_str(), result(&experiment.purpose, run.test.as_str(), *count))
                    })
                    .collect();
                outcome(experiment.id, &runs)
            });
            let outcomes = outcomes.collect();
            replay.observe(outcomes);
        }
    }

    #[test]
    fn a_suite_that_ends_as_before_needs_no_second_look() {
        let (findings, purposes) = play(&watch(&[&["A#1", "A#2"]]), |_, _, _| RunResult::Passed);
        assert_eq!(findings, []);
        assert_eq!(purposes, ["replay", "replay"]);
    }

    #[test]
    fn a_test_that_passes_and_fails_alike_is_flaky() {
        let (findings, _) = play(&watch(&[&["A#1", "A#2"]]), |_, test, count| {
            if test == "A#2" && count % 2 == 0 { failed() } else { RunResult::Passed }
        });
        assert_eq!(findings.len(), 1);
        assert_eq!(findings[0].tests, [TestId::from("A#2")]);
        assert_eq!(findings[0].confidence, Confidence { seen: 3, of: 7 });
    }

    #[test]
    fn a_test_that_only_fails_among_others_is_not_called_flaky() {
        let (findings, purposes) = play(&watch(&[&["A#1", "A#2"]]), |purpose, test, _| {
            if purpose == "replay" && test == "A#2" { failed() } else { RunResult::Passed }
        });
        assert_eq!(findings, []);
        assert_eq!(purposes.iter().filter(|purpose| *purpose == "alone").count(), ALONE as usize);
    }

    #[test]
    fn a_test_that_passes_once_and_fails_when_it_runs_again_is_not_called_flaky() {
        let (findings, _) = play(&watch(&[&["A#1", "A#1"]]), |purpose, _, count| {
            if purpose == "replay" && count % 2 == 0 { failed() } else { RunResult::Passed }
        });
        assert_eq!(findings, []);
    }

    #[test]
    fn a_test_that_is_skipped_now_and_then_is_not_called_flaky() {
        let (findings, _) = play(&watch(&[&["A#1"]]), |_, _, count| {
            if count == 1 { RunResult::Passed } else { RunResult::Skipped { reason: None } }
        });
        assert_eq!(findings, []);
    }
}
