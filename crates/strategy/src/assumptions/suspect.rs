//! A test that failed under a seed, and what is known of it since.

use std::collections::BTreeMap;

use surefoot_model::{MadeChoice, RunOutcome};

use super::narrowing::Narrowing;

/// How often a suspect runs in a fresh VM with its seed, and as often without. A test that fails every other time
/// gets through all of it once in hundreds of times.
pub(super) const CONFIRMATIONS: u32 = 3;

/// How many of these it is alone in its VM, at first: enough to tell that it needs no other test to fail, and none to pass. That it
/// always does can be seen as well among other suspects, of which a VM takes many.
pub(super) const ALONE: u32 = 1;

/// How often it then runs with nothing but the choices that were found.
pub(super) const SHOWN: u32 = 2;

#[derive(Debug, Clone, Default)]
pub(super) struct Suspect {
    pub(super) seed: u64,
    /// What is chosen are hashes.
    pub(super) by_hashes: bool,
    alone: Tally,
    among_others: Tally,
    pub(super) failure: Option<String>,
    /// The line that failed.
    pub(super) failed_at: Option<String>,
    /// All choices of its failing run.
    pub(super) choices: Vec<MadeChoice>,
    pub(super) narrowing: Option<Narrowing>,
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
}

impl Tally {
    fn is(self, times: u32) -> bool {
        self == Tally { fails: times, passes: times }
    }
}

impl Suspect {
    pub(super) fn new(seed: u64, by_hashes: bool) -> Self {
        Suspect { seed, by_hashes, ..Suspect::default() }
    }

    /// How it ended in a fresh VM, with what is chosen or without.
    pub(super) fn ran(&mut self, with: bool, alone: bool, run: RunOutcome) {
        let tally = if alone { &mut self.alone } else { &mut self.among_others };
        if !with {
            tally.passes += u32::from(run.result.passed());
        } else if run.result.is_bad() {
            tally.fails += 1;
            if alone {
                self.failure = run.result.reason();
                // A run that hangs tells none.
                self.choices =
                    run.choices.map_or(std::mem::take(&mut self.choices), |all| all.made);
            }
        }
    }

    /// Each time that it ran with what is chosen it failed, and without it passed. Whatever other suspects leave behind does not
    /// count against a test that is confirmed alone.
    pub(super) fn is_confirmed(&self) -> bool {
        let among_others = self.alone.is(ALONE) && self.among_others.is(CONFIRMATIONS - ALONE);
        (among_others || self.alone.is(CONFIRMATIONS)) && !self.choices.is_empty()
    }

    /// Alone it did as expected, and among other suspects it did not.
    pub(super) fn is_to_be_confirmed_alone(&self) -> bool {
        self.alone.is(ALONE) && !self.is_confirmed()
    }
}
