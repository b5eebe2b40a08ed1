//! Which tests may end otherwise in a VM in which they ran before.
//!
//! A VM that runs tests with one seed after the other makes some choices only once: in the initialiser of a class, or for
//! something that is kept from then on. Such a test comes to fewer choices whenever it runs again, in every VM, and whoever uses what it left sees the order
//! of the first seed. So with each seed it needs a fresh VM, and so do the other tests of its class, which are most likely to use it. The same goes for a test that
//! failed in such a VM and could not be confirmed: it may be one that fails whenever it runs again, whatever is chosen.

use std::collections::{BTreeMap, BTreeSet};

use surefoot_model::{RunOutcome, TestId};

#[derive(Debug, Default)]
pub(super) struct Afresh {
    /// By test and VM.
    reached: BTreeMap<TestId, BTreeMap<u64, Reached>>,
    /// Tests that need a fresh VM for each seed, once it is known.
    tests: Option<BTreeSet<TestId>>,
}

/// How many choices a test came to when it passed.
#[derive(Debug, Clone, Copy)]
struct Reached {
    first: u32,
    /// The most of all later times. A single time may be fewer by the order that was chosen.
    later: Option<u32>,
}

impl Reached {
    fn is_fewer_later(self) -> bool {
        self.later.is_some_and(|later| later < self.first)
    }
}

impl Afresh {
    /// How a test ended in this VM, with one seed after the other.
    pub(super) fn ran(&mut self, vm: u64, run: &RunOutcome) {
        if !run.result.passed() {
            return;
        }
        let now = run.choices.as_ref().map_or(0, |choices| choices.reached);
        let vms = self.reached.entry(run.test.clone()).or_default();
        vms.entry(vm)
            .and_modify(|reached| reached.later = reached.later.max(Some(now)))
            .or_insert(Reached { first: now, later: None });
    }

    /// Tests that made choices only once for a VM.
    pub(super) fn once(&self) -> impl Iterator<Item = &TestId> {
        let is_one = |vms: &BTreeMap<u64, Reached>| {
            let mut again = vms.values().filter(|reached| reached.later.is_some()).peekable();
            again.peek().is_some() && again.all(|reached| reached.is_fewer_later())
        };
        self.reached.iter().filter(move |(_, vms)| is_one(vms)).map(|(test, _)| test)
    }

    pub(super) fn is_decided(&self) -> bool {
        self.tests.is_some()
    }

    pub(super) fn decide(&mut self, tests: BTreeSet<TestId>) {
        self.tests = Some(tests);
    }

    /// In the order of their names.
    pub(super) fn tests(&self) -> impl Iterator<Item = &TestId> {
        self.tests.iter().flatten()
    }

    pub(super) fn has(&self, test: &TestId) -> bool {
        self.tests.as_ref().is_some_and(|tests| tests.contains(test))
    }
}

#[cfg(test)]
mod unit_tests {
    use surefoot_model::{RunChoices, RunResult};

    use super::*;

    fn once(vms: &[&[u32]]) -> bool {
        let mut afresh = Afresh::default();
        for (vm, times) in (0..).zip(vms) {
            for reached in *times {
                let choices = RunChoices { reached: *reached, made: Vec::new() };
                afresh.ran(
                    vm,
                    &RunOutcome {
                        test: "A#1".into(),
                        result: RunResult::Passed,
                        duration_ms: 0,
                        vm: 0,
                        change: None,
                        choices: Some(Box::new(choices)),
                        output: None,
                    },
                );
            }
        }
        afresh.once().count() == 1
    }

    #[test]
    fn what_is_chosen_once_is_missing_each_later_time_in_every_vm() {
        assert!(once(&[&[5, 4, 3], &[5, 4, 4]]));
        assert!(once(&[&[5, 0], &[5]]));
        assert!(!once(&[&[5, 4, 5], &[5, 4]]), "it is the order that makes it fewer");
        assert!(!once(&[&[5, 4], &[5, 5]]), "in another VM it is not");
        assert!(!once(&[&[5], &[4]]), "no VM was used again");
    }
}
