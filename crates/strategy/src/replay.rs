//! The simplest technique: run the suite again as it was, and see whether every test ends as before.
//!
//! It serves two ends. Workers are trusted only for tests that pass in them as they did when watched. And a test that ends
//! differently in experiments that are the same is flaky, whatever the reason, unless the reason is Surefoot: two VMs that write one
//! file, or listen at one port, make each other fail. So what is to be called flaky fails with no other VM beside it, too. And where
//! many fail, the suite is run once with no other VM: if most of them pass then, what was seen before says nothing.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;

use surefoot_model::{Experiment, Finding, Outcome, RunResult, Standing, TestId, Watch};

use crate::comparison::compare;
use crate::flaky::{Alike, flaky};
use crate::plan::{FreshVm, Limits, Plan, cut_after};
use crate::strategy::Strategy;

/// How often a test that ended differently is run alone, each time in a fresh VM.
const ALONE: u32 = 5;

/// How often it is run so without another VM beside it: what seldom fails is to fail once more.
const ALONE_UNDISTURBED: u32 = 10;

/// More than this are not: one VM at a time takes its time.
const MOST_UNDISTURBED: usize = 20;

/// How often the suite is, for what fails only there.
const SUITES_UNDISTURBED: u32 = 2;

/// More suspects than this are the sign of an environment that differs, not of flaky tests.
const MOST_SUSPECTS: usize = 100;

/// More suspects than this may all be disturbed, and the whole suite takes less time than each of them alone, many times.
const FEW_SUSPECTS: usize = 5;

#[derive(Debug)]
pub struct Replay<'a> {
    watch: &'a Watch,
    limits: Limits,
    round: Round,
    replays: u32,
    /// How many VMs run at a time.
    vms: usize,
    /// Tests that failed beside another VM, of a suite whose VMs disturb each other.
    beside_others: Vec<TestId>,
    /// Experiments of all rounds, by id.
    proposed: BTreeMap<u64, Experiment>,
    outcomes: Vec<Outcome>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Round {
    Suite,
    SuiteOnItsOwn,
    Alone,
    AloneUndisturbed,
    SuiteUndisturbed,
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
            vms: 1,
            beside_others: Vec::new(),
            proposed: BTreeMap::new(),
            outcomes: Vec::new(),
        }
    }

    /// How many VMs run at a time: they may disturb each other.
    #[must_use]
    pub fn with_vms(self, vms: usize) -> Self {
        Replay { vms, ..self }
    }

    /// Tests that passed and failed, and only passed without another VM beside them.
    pub fn disturbed(&self) -> Vec<TestId> {
        let mut disturbed = self.open();
        disturbed.truncate(if self.round == Round::Done { MOST_UNDISTURBED } else { 0 });
        disturbed
    }

    /// Tests that failed in a suite whose VMs disturb each other, and passed in it when it had one VM at a time. From then on there
    /// must be one at a time.
    pub fn disturb_each_other(&self) -> &[TestId] {
        &self.beside_others
    }

    /// How many tests ended differently but were not looked at again, because they were too many.
    pub fn unconfirmed(&self) -> usize {
        let not_undisturbed = self.open().len().saturating_sub(MOST_UNDISTURBED);
        self.suspects().len().saturating_sub(MOST_SUSPECTS) + not_undisturbed
    }

    /// All outcomes that count.
    pub fn outcomes(&self) -> &[Outcome] {
        &self.outcomes
    }

    fn suite(&self, rounds: u32) -> Vec<Experiment> {
        let plan = Plan { limits: self.limits, rounds, ..Plan::default() };
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

    /// A server that does not get its port may wait for ever, in each VM but one.
    fn is_to_be_on_its_own(&self) -> bool {
        let suspects = self.suspects();
        let hangs = || {
            let mut runs = self.outcomes.iter().flat_map(|outcome| &outcome.runs);
            runs.any(|run| {
                matches!(run.result, RunResult::TimedOut { .. }) && suspects.contains(&run.test)
            })
        };
        self.vms > 1 && (suspects.len() > FEW_SUSPECTS || hangs())
    }

    /// If most of the suspects pass when the suite is on its own, they are none, and what they did before does not count.
    fn forget_what_was_disturbed(&mut self) {
        let on_its_own = |experiment: &u64| {
            self.proposed.get(experiment).is_some_and(|one| one.settings.undisturbed)
        };
        let own = self.outcomes.iter().filter(|outcome| on_its_own(&outcome.experiment));
        let own: Vec<Outcome> = own.cloned().collect();
        let as_watched: BTreeSet<TestId> = compare(self.watch, &own)
            .into_iter()
            .filter(|comparison| comparison.standing == Standing::AsWatched)
            .map(|comparison| comparison.test.clone())
            .collect();
        let (not_any_more, still): (Vec<TestId>, Vec<TestId>) =
            self.suspects().into_iter().partition(|test| as_watched.contains(test));
        if not_any_more.len() > still.len() {
            self.beside_others = not_any_more;
            self.outcomes = own;
        }
    }

    fn alone(&self) -> Vec<Experiment> {
        let mut suspects = self.suspects();
        suspects.truncate(MOST_SUSPECTS);
        let fresh_vm = FreshVm::Test;
        let plan = Plan { limits: self.limits, fresh_vm, rounds: ALONE, ..Plan::default() };
        plan.experiments(self.watch, &suspects, "alone", self.next_id())
    }

    /// What seems flaky, once more with no other VM at the same time.
    fn undisturbed(&self) -> Vec<Experiment> {
        let open: BTreeSet<TestId> = self.open().into_iter().take(MOST_UNDISTURBED).collect();
        let tests: Vec<TestId> = open.iter().cloned().collect();
        let mut experiments = match self.round {
            Round::SuiteOnItsOwn => self.suite(1),
            Round::AloneUndisturbed => {
                let (fresh_vm, rounds) = (FreshVm::Test, ALONE_UNDISTURBED);
                let plan = Plan { limits: self.limits, fresh_vm, rounds, ..Plan::default() };
                plan.experiments(self.watch, &tests, "alone", self.next_id())
            }
            _ => {
                let rounds = SUITES_UNDISTURBED;
                let plan = Plan { limits: self.limits, rounds, ..Plan::default() };
                let all: Vec<TestId> = self.watch.tests.keys().cloned().collect();
                let suites = plan.experiments(self.watch, &all, "replay", 0);
                let suites = (self.next_id()..).zip(cut_after(&suites, &open));
                suites.map(|(id, suite)| Experiment { id, ..suite }).collect()
            }
        };
        for experiment in &mut experiments {
            experiment.settings.undisturbed = true;
        }
        experiments
    }

    /// Seems flaky, and has not failed undisturbed yet.
    fn open(&self) -> Vec<TestId> {
        let mut open: Vec<TestId> = self.mixed().into_iter().flat_map(|one| one.tests).collect();
        open.retain(|test| !self.fails_undisturbed(test));
        open
    }

    fn fails_undisturbed(&self, test: &TestId) -> bool {
        let is_undisturbed = |outcome: &&Outcome| {
            let experiment = self.proposed.get(&outcome.experiment);
            self.vms <= 1 || experiment.is_some_and(|one| one.settings.undisturbed)
        };
        let mut runs = self.outcomes.iter().filter(is_undisturbed).flat_map(|one| &one.runs);
        runs.any(|run| run.test == *test && run.result.is_bad())
    }

    /// Tests that passed and failed in the same setting.
    fn mixed(&self) -> Vec<Finding> {
        let results = self.results_by_setting();
        let mut by_test: BTreeMap<&TestId, Vec<Alike<'_>>> = BTreeMap::new();
        for ((test, setting), results) in results {
            let (label, setting) = (setting.purpose.clone(), setting.to_string());
            by_test.entry(test).or_default().push(Alike { label, setting, results });
        }
        by_test.into_iter().filter_map(|(test, settings)| flaky(test, &settings)).collect()
    }

    fn of_round(&self) -> Vec<Experiment> {
        match self.round {
            Round::Suite => self.suite(self.replays),
            Round::SuiteOnItsOwn if !self.is_to_be_on_its_own() => Vec::new(),
            Round::Alone => self.alone(),
            Round::SuiteOnItsOwn | Round::AloneUndisturbed | Round::SuiteUndisturbed => {
                self.undisturbed()
            }
            Round::Done => Vec::new(),
        }
    }

    fn next_round(&self) -> Round {
        match self.round {
            Round::Suite => Round::SuiteOnItsOwn,
            Round::SuiteOnItsOwn => Round::Alone,
            Round::Alone => Round::AloneUndisturbed,
            Round::AloneUndisturbed => Round::SuiteUndisturbed,
            Round::SuiteUndisturbed | Round::Done => Round::Done,
        }
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
            _ => "confirm",
        }
    }

    fn propose(&mut self) -> Vec<Experiment> {
        let mut experiments = self.of_round();
        while experiments.is_empty() && self.round != Round::Done {
            self.round = self.next_round();
            experiments = self.of_round();
        }
        if !self.beside_others.is_empty() {
            experiments.iter_mut().for_each(|experiment| experiment.settings.undisturbed = true);
        }
        self.proposed
            .extend(experiments.iter().map(|experiment| (experiment.id, experiment.clone())));
        experiments
    }

    fn observe(&mut self, outcomes: Vec<Outcome>) {
        self.outcomes.extend(outcomes);
        if self.round == Round::SuiteOnItsOwn {
            self.forget_what_was_disturbed();
        }
        self.round = self.next_round();
    }

    fn findings(&self) -> Vec<Finding> {
        let mut findings = self.mixed();
        findings.retain(|finding| finding.tests.iter().all(|test| self.fails_undisturbed(test)));
        findings
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
        play_beside(watch, 1, |experiment, test, count| result(&experiment.purpose, test, count))
    }

    /// With the results by experiment.
    fn play_beside(
        watch: &Watch,
        vms: usize,
        result: impl Fn(&Experiment, &str, usize) -> RunResult,
    ) -> (Vec<Finding>, Vec<String>) {
        let mut replay = Replay::new(watch, 2, Limits::default()).with_vms(vms);
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
                        (run.test.as_str(), result(experiment, run.test.as_str(), *count))
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

    #[test]
    fn a_test_that_fails_only_beside_another_vm_is_not_called_flaky() {
        let watch = watch(&[&["A#1", "A#2"]]);
        let (findings, purposes) = play_beside(&watch, 2, |experiment, test, count| {
            let is_disturbed = !experiment.settings.undisturbed && count % 2 == 0;
            if test == "A#2" && is_disturbed { failed() } else { RunResult::Passed }
        });
        assert_eq!(findings, []);
        let number = |purpose: &str| purposes.iter().filter(|one| *one == purpose).count() as u32;
        assert_eq!(number("alone"), ALONE + ALONE_UNDISTURBED);
        assert_eq!(number("replay"), 2 + SUITES_UNDISTURBED);
    }

    /// Ten tests and one more, with two VMs at a time.
    fn play_eleven(result: impl Fn(&Experiment, &str) -> RunResult) -> (Vec<String>, Vec<String>) {
        let tests: Vec<String> = (0..10).map(|n| format!("A#{n}")).collect();
        let tests: Vec<&str> = tests.iter().map(String::as_str).chain(["B#1"]).collect();
        let watch = watch(&[&tests]);
        let mut replay = Replay::new(&watch, 2, Limits::default()).with_vms(2);
        let mut asked = Vec::new();
        loop {
            let experiments = replay.propose();
            if experiments.is_empty() {
                assert_eq!(replay.findings(), []);
                let beside = replay.disturb_each_other().iter().map(|test| test.0.clone());
                return (asked, beside.collect());
            }
            let outcomes = experiments.iter().map(|experiment| {
                let beside = if experiment.settings.undisturbed { "" } else { " beside others" };
                asked.push(format!("{}{beside}", experiment.purpose));
                let runs = experiment.runs.iter().map(|run| run.test.as_str());
                let runs: Vec<_> = runs.map(|test| (test, result(experiment, test))).collect();
                outcome(experiment.id, &runs)
            });
            let outcomes = outcomes.collect();
            replay.observe(outcomes);
        }
    }

    #[test]
    fn a_suite_whose_vms_disturb_each_other_has_one_at_a_time_and_no_suspects() {
        let (asked, beside) = play_eleven(|experiment, test| {
            if !experiment.settings.undisturbed && test != "B#1" {
                failed()
            } else {
                RunResult::Passed
            }
        });
        assert_eq!(asked, ["replay beside others", "replay beside others", "replay"]);
        assert_eq!(beside, (0..10).map(|n| format!("A#{n}")).collect::<Vec<_>>());
    }

    #[test]
    fn one_test_that_hangs_beside_another_vm_is_enough() {
        let hangs = |experiment: &Experiment, test: &str| {
            experiment.id == 2 && test == "B#1" && !experiment.settings.undisturbed
        };
        let (asked, beside) = play_eleven(|experiment, test| {
            let hung = RunResult::TimedOut { limit_ms: 1 };
            if hangs(experiment, test) { hung } else { RunResult::Passed }
        });
        assert_eq!(asked, ["replay beside others", "replay beside others", "replay"]);
        assert_eq!(beside, ["B#1"]);
    }

    #[test]
    fn what_fails_in_a_suite_on_its_own_is_looked_at_alone_with_no_other_vm() {
        let (asked, beside) = play_eleven(|experiment, test| {
            let is_replay = experiment.purpose == "replay";
            if !experiment.settings.undisturbed || is_replay && test == "B#1" {
                failed()
            } else {
                RunResult::Passed
            }
        });
        assert_eq!(asked.len(), 3 + ALONE as usize);
        assert!(asked[3..].iter().all(|purpose| purpose == "alone"), "{asked:?}");
        assert_eq!(beside.len(), 10);
    }

    #[test]
    fn many_that_fail_without_another_vm_too_are_all_looked_at() {
        let fails = |experiment: &Experiment| experiment.purpose == "replay";
        let (asked, beside) =
            play_eleven(|one, _| if fails(one) { failed() } else { RunResult::Passed });
        assert_eq!(asked.len(), 3 + 11 * ALONE as usize);
        assert_eq!(beside, Vec::<String>::new());
    }

    #[test]
    fn a_test_that_fails_without_another_vm_too_is_flaky() {
        let watch = watch(&[&["A#1"]]);
        for fails in ["alone", "replay"] {
            let (findings, purposes) = play_beside(&watch, 2, |experiment, _, count| {
                let is_time = experiment.purpose == fails || !experiment.settings.undisturbed;
                if is_time && count % 2 == 0 { failed() } else { RunResult::Passed }
            });
            assert_eq!(findings.len(), 1, "{fails}");
            let replays = purposes.iter().filter(|one| *one == "replay").count();
            let needs_the_suite = fails == "replay";
            assert_eq!(replays, if needs_the_suite { 4 } else { 2 }, "{fails}");
        }
    }
}
