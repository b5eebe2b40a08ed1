//! Tests that fail under a seed only after others.
//!
//! What a test sees may have been made by one before it, and be kept for the rest of the VM: a class that is generated from the fields of
//! another one, say, with whatever order the first user saw. Such a test fails with a seed in a fresh VM among others, and never
//! alone. The test that it needs is found by delta debugging. The same tests in the same order must pass where nothing is chosen: otherwise it is
//! a test that depends on the order of tests, and no assumption.

use surefoot_model::{Experiment, TestId};

use super::narrowing::Narrowing;
use super::suspect::Suspect;
use super::{Assumptions, Proposed};
use crate::plan::{FreshVm, Plan};

/// Suspects whose predecessors are searched for: each takes runs of many tests.
const MOST: usize = 8;

/// A search that takes more runs than this ends with what it has.
const MOST_RUNS: u32 = 60;

/// For the tests that a suspect needs before it.
#[derive(Debug, Clone)]
pub(super) enum Search {
    /// Does it fail after all of these, in a fresh VM?
    All(Vec<TestId>),
    Narrowing(Narrowing<TestId>),
    /// It needs these; none if it does not fail after all of them.
    Ended(Vec<TestId>),
}

impl Search {
    fn candidates(&self) -> Vec<Vec<TestId>> {
        match self {
            Search::All(tests) => vec![tests.clone()],
            Search::Narrowing(narrowing) => narrowing.candidates(),
            Search::Ended(_) => Vec::new(),
        }
    }

    /// Which of the candidates it failed after.
    fn observe(self, failed: &[bool]) -> Self {
        let narrowing = match self {
            Search::All(tests) if failed.contains(&true) => Narrowing::new(tests, Vec::new()),
            Search::All(_) => return Search::Ended(Vec::new()),
            Search::Narrowing(mut narrowing) => {
                narrowing.observe(failed);
                narrowing
            }
            ended @ Search::Ended(_) => return ended,
        };
        match narrowing.is_done() || narrowing.executions() > MOST_RUNS {
            true => Search::Ended(narrowing.failing().to_vec()),
            false => Search::Narrowing(narrowing),
        }
    }
}

impl Assumptions<'_> {
    /// The next candidates. Each runs with the suspect's seed, in a fresh VM.
    pub(super) fn before(&mut self) -> Vec<Experiment> {
        self.begin_search();
        let mut experiments = Vec::new();
        for (test, suspect) in self.suspects.clone() {
            let candidates = suspect.search.as_ref().map(Search::candidates);
            for (number, before) in candidates.unwrap_or_default().into_iter().enumerate() {
                let plan =
                    Plan { fresh_vm: FreshVm::Suite, ..self.plan(self.choosing_for(&suspect)) };
                let what = Proposed::Before(test.clone(), number);
                self.add(&mut experiments, &plan, &with(before, &test), &what);
            }
        }
        experiments
    }

    fn begin_search(&mut self) {
        // What failed in a VM that was used again, and not in fresh ones with the tests of its class.
        for (test, suspect) in std::mem::take(&mut self.set_aside) {
            self.suspects.entry(test).or_insert(suspect);
        }
        for test in self.to_be_searched_for() {
            let before = self.before_it(&test);
            if let Some(suspect) = self.suspects.get_mut(&test) {
                suspect.search = Some(match before.is_empty() {
                    true => Search::Ended(before),
                    false => Search::All(before),
                });
            }
        }
        self.let_go();
    }

    /// Suspects for which a search is yet to begin.
    pub(super) fn to_be_searched_for(&self) -> Vec<TestId> {
        let is_one = |(test, suspect): &(&TestId, &Suspect)| {
            suspect.needs_others() && suspect.search.is_none() && !self.is_python(test)
        };
        let ones = self.suspects.iter().filter(is_one).map(|(test, _)| test.clone());
        let known = self.suspects.values().filter(|suspect| suspect.search.is_some()).count();
        ones.take(MOST.saturating_sub(known)).collect()
    }

    /// Those that ran under seeds, in the order in which they were watched.
    fn before_it(&self, test: &TestId) -> Vec<TestId> {
        let tests: Vec<TestId> = self.reaching().cloned().collect();
        let experiments = Plan::default().experiments(self.watch, &tests, "", 0);
        let runs = experiments.iter().map(|experiment| &experiment.runs);
        let runs = runs.filter(|runs| runs.iter().any(|run| run.test == *test));
        let before = runs.flat_map(|runs| runs.iter().take_while(|run| run.test != *test));
        let mut before: Vec<TestId> = before.map(|run| run.test.clone()).collect();
        before.dedup();
        before
    }

    pub(super) fn is_searching(&self) -> bool {
        let is_under_way =
            |suspect: &Suspect| !matches!(suspect.search, None | Some(Search::Ended(_)));
        self.suspects.values().any(is_under_way)
    }

    pub(super) fn hand_on_predecessors(&mut self) {
        for suspect in self.suspects.values_mut() {
            let results: Vec<bool> =
                std::mem::take(&mut suspect.candidates).into_values().collect();
            let Some(search) = suspect.search.take() else { continue };
            let search = if results.is_empty() { search } else { search.observe(&results) };
            if let Search::Ended(needed) = &search
                && suspect.after.is_empty()
                && !needed.is_empty()
            {
                suspect.comes_after(needed.clone());
            }
            suspect.search = Some(search);
        }
        self.let_go();
    }

    /// Suspects that never failed in fresh VMs: there is nothing that could not be confirmed.
    fn let_go(&mut self) {
        let under_seeds = &self.under_seeds;
        let failed = |test: &TestId| under_seeds.get(test).is_some_and(|seen| seen.failures() > 0);
        let in_vain = |suspect: &Suspect| matches!(&suspect.search, Some(Search::Ended(needed)) if needed.is_empty());
        self.suspects.retain(|test, suspect| !in_vain(suspect) || failed(test));
    }

    /// With what is chosen and without, after those that were found.
    pub(super) fn confirm_after(&mut self) -> Vec<Experiment> {
        let mut experiments = Vec::new();
        for (test, suspect) in self.suspects.clone() {
            let times = suspect.times_alone();
            if !suspect.after.is_empty() && times > 0 {
                self.add_alone(&mut experiments, &test, &suspect, times);
            }
        }
        experiments
    }
}

/// The test comes last.
pub(super) fn with(mut before: Vec<TestId>, test: &TestId) -> Vec<TestId> {
    before.push(test.clone());
    before
}
