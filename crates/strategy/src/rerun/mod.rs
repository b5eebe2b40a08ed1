//! Tests that pass once and fail when they run again in the same VM (NIO).
//!
//! First every test runs several times in a row, in the mode that is wanted. What did not pass each time runs alone in a fresh
//! VM; what does not simply fail there too, in more of them, once and several times in a row. Where that does not tell, it
//! runs after others again. What then ends in different ways does all this once more with no other VM beside it, which might
//! be what disturbs it. At last each NIO test runs with the things that its first run changed put back, to see which of
//! them it trips over.
//!
//! All this starts from the files that the watched run found. What passes then, and not with those that it left, trips over them.

mod clean;
mod explanation;
mod finding;
mod history;
mod rounds;
mod verdict;

use std::collections::{BTreeMap, BTreeSet};

use surefoot_model::{
    ClassSetup, Experiment, Finding, Outcome, Remark, Reuse, RunOutcome, RunResult, Start,
    StateChange, TestId, Watch, Workspace,
};

use crate::plan::Limits;
use crate::strategy::Strategy;
use explanation::Explanation;
use history::{History, Place, Series};
use rounds::Round;
use verdict::Verdict;

/// More suspects than this are the sign of an environment that differs.
const MOST_SUSPECTS: usize = 500;

/// Purposes of experiments: where the runs of a test take place.
const AMONG_OTHERS: &str = "rerun";
const ALONE: &str = "rerun alone";
const IN_CLEAN_VM: &str = "rerun in a clean VM";
const CONTROL: &str = "alone";
const SUITE: &str = "suite";
const STATE: &str = "state";
const IN_PLACE: &str = "files as they are";
const NEXT_VM: &str = "suite with files as they are";
const ACROSS_VMS: &str = "across VMs";

/// What shares a VM while every test runs several times in a row.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Mode {
    /// All tests of a launch: t, t, u, u, v, v.
    Suite,
    /// The tests of a class: t, t, u, u.
    Class,
    /// Nothing but the runs of one test: t, t.
    Method,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct RerunSettings {
    /// None: what shared a VM when watched, and then each test alone that this cannot decide.
    pub mode: Option<Mode>,
    /// How often each test runs, one run right after the other.
    pub repeat: u32,
    pub class_setup: ClassSetup,
    /// Whether a test that only fails in the next VM, with the files that it left, is looked for.
    pub across_vms: bool,
    pub limits: Limits,
}

#[derive(Debug)]
pub struct Rerun<'a> {
    watch: &'a Watch,
    tests: Vec<TestId>,
    skipped: usize,
    settings: RerunSettings,
    /// How many run at a time.
    vms: usize,
    /// When a VM is as good as new.
    reuse: Reuse,
    /// Those that ran in a copy of their files.
    copied: BTreeSet<TestId>,
    /// Those that left something where VMs were to be left as they were.
    leaving: BTreeSet<TestId>,
    round: Round,
    next_id: u64,
    /// The first round's, for another look at what happens among others.
    among: Vec<Experiment>,
    /// By the numbers of experiments of the first round that are forked: that of which each is a part.
    forked: BTreeMap<u64, Experiment>,
    /// Those of them whose forks said nothing of processes that are started.
    untold: Vec<Experiment>,
    /// The place of the runs of each experiment.
    places: BTreeMap<u64, Place>,
    histories: BTreeMap<TestId, History>,
    /// What is put back between the runs of each experiment, where anything is.
    kept: BTreeMap<u64, Vec<String>>,
    /// Which copy of the files each experiment has, where it shares one.
    shared: BTreeMap<u64, String>,
    /// How tests ended with each of these copies, in one VM after the other.
    across: BTreeMap<(TestId, String), Vec<RunResult>>,
    explanations: BTreeMap<TestId, Explanation>,
}

impl<'a> Rerun<'a> {
    /// `tests`: which of the watched ones are wanted.
    pub fn new(watch: &'a Watch, tests: &[TestId], settings: RerunSettings) -> Self {
        let wanted: BTreeSet<&TestId> = tests.iter().collect();
        let mut histories: BTreeMap<TestId, History> = BTreeMap::new();
        for run in watch.runs().filter(|run| wanted.contains(&run.test)) {
            histories.entry(run.test.clone()).or_default().watched.push(run.result.clone());
        }
        // A test that was skipped will be skipped again.
        histories.retain(|_, history| {
            history.watched.iter().any(|result| result.passed() || result.is_bad())
        });
        Rerun {
            watch,
            tests: histories.keys().cloned().collect(),
            skipped: 0,
            settings,
            vms: 1,
            reuse: clean::reuse(),
            copied: BTreeSet::new(),
            leaving: BTreeSet::new(),
            round: Round::InARow,
            next_id: 1,
            among: Vec::new(),
            forked: BTreeMap::new(),
            untold: Vec::new(),
            places: BTreeMap::new(),
            histories,
            kept: BTreeMap::new(),
            shared: BTreeMap::new(),
            across: BTreeMap::new(),
            explanations: BTreeMap::new(),
        }
    }

    /// Leaves out tests that changed nothing: what a test does not change cannot make it fail when it runs again. Only those
    /// around which the state was compared one by one, and only as far as it is compared.
    pub fn without_the_clean(mut self) -> Self {
        if self.settings.class_setup == ClassSetup::PerRun {
            // Class-level set-up runs again too then, and what it changes is put down to no test.
            return self;
        }
        let mut clean: BTreeMap<&TestId, bool> = BTreeMap::new();
        for run in self.watch.runs() {
            let unchanged = run.change.as_ref().is_some_and(StateChange::is_empty);
            *clean.entry(&run.test).or_insert(true) &=
                unchanged && run.result.passed() && !run.overlapped;
        }
        let before = self.tests.len();
        self.tests.retain(|test| !clean.get(test).is_some_and(|clean| *clean));
        self.skipped = before - self.tests.len();
        self
    }

    /// Fields that are set once some class is used, whoever uses it: they say nothing about a test.
    pub fn with_set_by_initialisers(mut self, fields: impl IntoIterator<Item = String>) -> Self {
        self.reuse.set.extend(fields);
        self
    }

    /// How many tests there are that might run again, with those that are left out.
    pub fn wanted(&self) -> usize {
        self.tests.len() + self.skipped
    }

    /// How many tests were left out because they changed nothing.
    pub fn skipped(&self) -> usize {
        self.skipped
    }

    /// As many VMs can run at a time.
    pub fn divided_among(self, vms: usize) -> Self {
        Rerun { vms: vms.max(1), ..self }
    }

    /// Numbers its experiments from here on: others of the same run of Surefoot have the numbers below.
    pub fn numbered_from(self, next_id: u64) -> Self {
        Rerun { next_id, ..self }
    }

    /// The number of the next experiment of the same run of Surefoot.
    pub fn next_id(&self) -> u64 {
        self.next_id
    }

    /// How many tests were run several times in a row.
    pub fn repeated(&self) -> usize {
        let has_runs = |history: &&History| !history.series.is_empty();
        self.histories.values().filter(has_runs).count()
    }

    /// How many tests did not pass each time and were not looked at further, because they were too many.
    pub fn unconfirmed(&self) -> usize {
        self.suspects().len().saturating_sub(MOST_SUSPECTS)
    }

    /// How many tests passed when watched, and in no VM of ours.
    pub fn not_replayable(&self) -> usize {
        self.those(|history| history.verdict() == Verdict::NotReplayable).len()
    }

    /// The root that a NIO test trips over, if one alone makes the difference.
    pub fn cause(&self, test: &TestId) -> Option<String> {
        self.explanations.get(test)?.cause(self.failure(test))
    }

    /// What was seen of tests that did not pass each time and are no findings.
    pub fn remarks(&self) -> Vec<Remark> {
        self.histories
            .iter()
            .filter(|(_, history)| !history.series.is_empty())
            .filter_map(|(test, history)| finding::remark(test, history))
            .collect()
    }

    fn suspects(&self) -> Vec<TestId> {
        self.those(History::is_suspect)
    }

    fn some_suspects(&self) -> Vec<TestId> {
        let mut suspects = self.suspects();
        suspects.truncate(MOST_SUSPECTS);
        suspects
    }

    fn those(&self, so: impl Fn(&History) -> bool) -> Vec<TestId> {
        let those = self.histories.iter().filter(|(_, history)| so(history));
        those.map(|(test, _)| test.clone()).collect()
    }

    /// How a NIO test failed when it ran again.
    fn failure(&self, test: &TestId) -> Option<&RunResult> {
        self.histories.get(test)?.at(Place::Alone).find_map(Series::failed_again)
    }

    /// Whether each test ended at first as it did when watched. Where a process left behind lacks what the end of the watched session
    /// removed, many do not.
    fn begins_as_watched(&self, outcome: &Outcome) -> bool {
        let mut seen = BTreeSet::new();
        outcome.runs.iter().filter(|run| seen.insert(&run.test)).all(|run| {
            let passed = self.histories.get(&run.test).is_some_and(History::passed_when_watched);
            run.result.passed() == passed
        })
    }

    fn explain(&mut self, outcome: &Outcome) {
        let Some(test) = outcome.runs.first().map(|run| &run.test) else { return };
        let explanation = self.explanations.entry(test.clone()).or_default();
        match self.kept.get(&outcome.experiment) {
            Some(kept) => explanation.tried(kept, outcome),
            None => explanation.look(outcome),
        }
    }
}

impl Strategy for Rerun<'_> {
    fn name(&self) -> &'static str {
        self.round.name()
    }

    fn propose(&mut self) -> Vec<Experiment> {
        let mut experiments = Vec::new();
        while experiments.is_empty() && self.round != Round::Done {
            experiments = match self.round {
                Round::InARow => self.in_a_row(),
                Round::Started => self.started(),
                Round::WithoutLeaving | Round::Apart => self.apart(),
                Round::Alone => self.alone(),
                Round::Confirm => self.confirm(),
                Round::AfterOthers => self.after_others(),
                Round::ConfirmUndisturbed | Round::AfterOthersUndisturbed => self.undisturbed(),
                Round::NextVm => self.next_vm(),
                Round::InPlace => self.in_place(),
                Round::FirstVm | Round::SecondVm => self.across_vms(),
                Round::Look => self.look(),
                Round::PutBack => self.put_back(),
                Round::Done => Vec::new(),
            };
            if experiments.is_empty() {
                self.round = self.round.next();
            }
        }
        for experiment in &mut experiments {
            experiment.id = self.next_id;
            self.next_id += 1;
            let place = match experiment.purpose.as_str() {
                ALONE | CONTROL => Some(Place::Alone),
                IN_CLEAN_VM => Some(Place::CleanVm),
                SUITE => Some(Place::Suite),
                AMONG_OTHERS => Some(Place::Among),
                IN_PLACE => Some(Place::AsLeft),
                NEXT_VM => Some(Place::NextVm),
                ACROSS_VMS => Some(Place::AcrossVms),
                _ => None,
            };
            self.places.extend(place.map(|place| (experiment.id, place)));
            if let Workspace::SharedCopy(name) = &experiment.settings.workspace {
                self.shared.insert(experiment.id, name.clone());
            }
            if self.round == Round::InARow && experiment.settings.start != Start::Plain {
                self.forked.extend(self.whole(experiment).map(|whole| (experiment.id, whole)));
            }
            if !experiment.settings.keep.is_empty() {
                self.kept.insert(experiment.id, experiment.settings.keep.clone());
            }
        }
        experiments
    }

    fn observe(&mut self, outcomes: Vec<Outcome>) {
        for outcome in outcomes {
            let Some(place) = self.places.get(&outcome.experiment).copied() else {
                self.explain(&outcome);
                continue;
            };
            if let Some(experiment) = self.forked.remove(&outcome.experiment)
                && !self.begins_as_watched(&outcome)
            {
                if !self.untold.contains(&experiment) {
                    self.untold.push(experiment);
                }
                continue;
            }
            if outcome.in_copy {
                self.copied.extend(outcome.runs.iter().map(|run| run.test.clone()));
            }
            if let Some(copy) = self.shared.get(&outcome.experiment) {
                for run in outcome.runs {
                    let results = self.across.entry((run.test, copy.clone())).or_default();
                    results.push(run.result);
                }
                continue;
            }
            let runs = match place {
                Place::CleanVm => {
                    let leaves = |run: &&RunOutcome| !run.leaves_as_good_as_new(&self.reuse);
                    let leaving = outcome.runs.iter().filter(leaves);
                    self.leaving.extend(leaving.map(|run| run.test.clone()));
                    clean::as_good_as_new(outcome.runs, &self.reuse)
                }
                _ => outcome.runs,
            };
            let mut series: BTreeMap<(TestId, u32), Vec<RunResult>> = BTreeMap::new();
            for run in runs {
                series.entry((run.test, run.vm)).or_default().push(run.result);
            }
            for ((test, vm), results) in series {
                let place = match place {
                    Place::Among | Place::Suite if vm > 0 => Place::AfterDeath,
                    place => place,
                };
                let Some(history) = self.histories.get_mut(&test) else { continue };
                history.series.push(Series { place, results });
            }
        }
        if self.round == Round::SecondVm {
            for ((test, _), results) in std::mem::take(&mut self.across) {
                if let Some(history) = self.histories.get_mut(&test) {
                    history.series.push(Series { place: Place::AcrossVms, results });
                }
            }
        }
        if self.round != Round::PutBack {
            self.round = self.round.next();
        }
    }

    fn findings(&self) -> Vec<Finding> {
        finding::findings(self.watch, &self.histories, &self.explanations, &self.settings)
    }
}

#[cfg(test)]
mod tests;
