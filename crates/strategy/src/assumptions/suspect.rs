//! A test that failed under a seed, and what is known of it since.

use std::collections::BTreeMap;

use surefoot_model::{ChoiceId, MadeChoice, RunOutcome, RunResult, TestId};

use super::causes::{BOTH_ORDERS, Tried};
use super::narrowing::Narrowing;
use super::predecessors::Search;

/// How often a suspect runs in a fresh VM with its seed, and as often without. A test that fails every other time
/// gets through all of it once in hundreds of times.
pub(super) const CONFIRMATIONS: u32 = 3;

/// How many of these it is among other suspects, of which a VM takes many: with all that come before it, and with all that come after.
pub(super) const AMONG: u32 = BOTH_ORDERS.len() as u32;

/// How many of these one that leads others is alone in its VM.
pub(super) const ALONE: u32 = CONFIRMATIONS - AMONG;

/// How often it then runs with nothing but the choices that were found.
pub(super) const SHOWN: u32 = 2;

#[derive(Debug, Clone, Default)]
pub(super) struct Suspect {
    pub(super) seed: u64,
    /// What is chosen are hashes.
    pub(super) by_hashes: bool,
    /// Tests that run before it in its VM, since it does not fail alone.
    pub(super) after: Vec<TestId>,
    pub(super) search: Option<Search>,
    alone: Tally,
    among_others: Tally,
    /// How it ended when it last failed with what is chosen.
    pub(super) failed: Option<RunResult>,
    /// All choices of its failing run.
    pub(super) choices: Vec<MadeChoice>,
    /// It stands for others that may fail by the same cause.
    pub(super) leads: bool,
    /// Of one that does not lead.
    pub(super) tried: Tried,
    pub(super) narrowing: Option<Narrowing<ChoiceId>>,
    /// Results of the candidates of this round, as far as they are there.
    pub(super) candidates: BTreeMap<usize, bool>,
    /// How often it failed by the choices that it takes alone, and these choices as they were then.
    pub(super) shown: (u32, Vec<MadeChoice>),
}

/// In fresh VMs.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
struct Tally {
    /// With what is chosen.
    fails: u32,
    /// Without.
    passes: u32,
    /// Either way, if it was not this.
    otherwise: u32,
}

impl Tally {
    fn is(self, times: u32) -> bool {
        self == Tally { fails: times, passes: times, otherwise: 0 }
    }
}

impl Suspect {
    pub(super) fn new(seed: u64, by_hashes: bool) -> Self {
        Suspect { seed, by_hashes, ..Suspect::default() }
    }

    /// How it ended in a fresh VM, with what is chosen or without; alone, or after those that it needs.
    pub(super) fn ran(&mut self, with: bool, alone: bool, run: RunOutcome) {
        let tally = if alone { &mut self.alone } else { &mut self.among_others };
        match with {
            true if run.result.is_bad() => tally.fails += 1,
            false if run.result.passed() => tally.passes += 1,
            _ => tally.otherwise += 1,
        }
        if with && run.result.is_bad() {
            self.failed = Some(run.result);
            // A run that hangs tells none.
            let made = run.choices.map(|all| all.made);
            self.remember(made.unwrap_or_default());
        }
    }

    /// What was chosen for a test that it needs, in such a run.
    pub(super) fn needed_ran(&mut self, run: RunOutcome) {
        self.remember(run.choices.map(|all| all.made).unwrap_or_default());
    }

    fn remember(&mut self, choices: Vec<MadeChoice>) {
        let new = |choice: &MadeChoice| self.choices.iter().all(|known| known.id != choice.id);
        let new: Vec<MadeChoice> = choices.into_iter().filter(new).collect();
        self.choices.extend(new);
    }

    /// It passes alone, with and without what is chosen, but failed with it in a fresh VM in which others came first.
    pub(super) fn needs_others(&self) -> bool {
        let Tally { fails, passes, otherwise } = self.alone;
        self.after.is_empty() && fails == 0 && passes > 0 && otherwise == passes
    }

    /// It fails after these; that is yet to be confirmed.
    pub(super) fn comes_after(&mut self, tests: Vec<TestId>) {
        self.after = tests;
        (self.alone, self.among_others) = Default::default();
        self.choices.clear();
        self.leads = false;
    }

    /// Each time that it ran with what is chosen it failed, and without it passed. Whatever other suspects leave behind does not
    /// count against a test that is confirmed alone.
    pub(super) fn is_confirmed(&self) -> bool {
        let among_others = self.among_others.is(AMONG) && self.alone.otherwise == 0;
        (among_others || self.alone.is(CONFIRMATIONS)) && !self.choices.is_empty()
    }

    pub(super) fn is_confirmed_alone(&self) -> bool {
        self.is_confirmed() && self.alone != Tally::default()
    }

    /// Not even without what is chosen, in the fresh VMs that it shared with other suspects.
    pub(super) fn never_passes(&self) -> bool {
        self.among_others != Tally::default() && self.among_others.passes == 0
    }

    pub(super) fn is_to_be_narrowed(&self) -> bool {
        self.leads && self.is_confirmed_alone() && self.narrowing.is_none()
    }

    /// How it ended with nothing but what it takes; or how a test ended that it needs, which comes before it.
    pub(super) fn showed(&mut self, is_itself: bool, run: RunOutcome) {
        let failed = run.result.is_bad();
        if is_itself && failed {
            self.failed = Some(run.result);
            self.shown.0 += 1;
        }
        let made = run.choices.map(|choices| choices.made).unwrap_or_default();
        if !is_itself || failed {
            let known = &mut self.shown.1;
            known.retain(|one| made.iter().all(|choice| choice.id != one.id));
            known.extend(made);
        }
    }

    /// How often it is yet to run alone: if it did not do as expected among other suspects, or if it comes after others.
    pub(super) fn times_alone(&self) -> u32 {
        match self.alone == Tally::default() && !self.is_confirmed() {
            true => CONFIRMATIONS,
            false => 0,
        }
    }
}
