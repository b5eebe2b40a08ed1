//! Many tests may fail by the same code. One of them *leads*: it is looked at alone, and its choices are narrowed. The others are then
//! tried with nothing but what is chosen at the places found for it, all in one VM, and in the opposite order in another. Those that
//! fail both times fail by the same cause. The first of those that are left leads next.

use std::collections::{BTreeMap, BTreeSet};

use surefoot_model::{ChoiceId, Choosing, Experiment, TestId};

use super::narrowing::{MOST_NEEDED, Narrowing};
use super::suspect::{ALONE, Suspect};
use super::{Assumptions, Proposed};
use crate::plan::{FreshVm, Order, Plan};

/// Models and places of the choices that a test takes to fail.
pub(super) type Cause = BTreeSet<(String, String)>;

/// Tests that lead at a time, if they came to choices at different places: more keep more VMs busy, and fewer may do for all.
const LEADS: usize = 4;

/// Either way round: a test that fails by what another one left passes in the VM in which it comes first.
pub(super) const BOTH_ORDERS: [Order; 2] = [Order::AsSeen, Order::Reverse];

/// What came of trying a suspect with the causes of others.
#[derive(Debug, Clone, Default)]
pub(super) struct Tried {
    failures: BTreeMap<Cause, usize>,
}

impl Tried {
    pub(super) fn failed(&mut self, cause: Cause) {
        *self.failures.entry(cause).or_default() += 1;
    }

    /// The one that it failed by in both orders.
    pub(super) fn cause(&self) -> Option<&Cause> {
        let both = |(_, times): &(&Cause, &usize)| **times == BOTH_ORDERS.len();
        self.failures.iter().find(both).map(|(cause, _)| cause)
    }
}

impl Suspect {
    /// It is confirmed, and neither leads nor fails by the cause of one that does.
    fn is_waiting(&self) -> bool {
        self.is_confirmed() && !self.leads && self.tried.cause().is_none()
    }

    fn places(&self) -> Cause {
        self.choices.iter().map(|choice| (choice.model.clone(), choice.place.clone())).collect()
    }

    /// Its own choices at these places.
    pub(super) fn choices_of(&self, cause: &Cause) -> Vec<ChoiceId> {
        let is_there = |model: &str, place: &str| {
            cause.iter().any(|(of, at)| of.as_str() == model && at.as_str() == place)
        };
        let there = self.choices.iter().filter(|choice| is_there(&choice.model, &choice.place));
        there.map(|choice| choice.id).collect()
    }

    /// Its choices, model by model.
    fn by_model(&self) -> Vec<Vec<ChoiceId>> {
        let mut models: BTreeMap<&str, Vec<ChoiceId>> = BTreeMap::new();
        for choice in &self.choices {
            models.entry(&choice.model).or_default().push(choice.id);
        }
        models.into_values().collect()
    }

    /// What it was narrowed to, if that may be enough for others.
    fn cause(&self) -> Option<Cause> {
        let narrowing = self.narrowing.as_ref().filter(|narrowing| narrowing.is_done())?;
        if narrowing.failing().len() > MOST_NEEDED {
            return None;
        }
        let found = |id: &ChoiceId| narrowing.failing().contains(id);
        let choices = self.choices.iter().filter(|choice| found(&choice.id));
        let cause = choices.map(|choice| (choice.model.clone(), choice.place.clone())).collect();
        (self.after.is_empty() && !self.by_hashes).then_some(cause)
    }
}

impl Assumptions<'_> {
    pub(super) fn is_anybody_waiting(&self) -> bool {
        self.suspects.values().any(Suspect::is_waiting)
    }

    /// The next ones that lead, alone, unless that was seen before.
    pub(super) fn lead(&mut self) -> Vec<Experiment> {
        let mut seen: BTreeSet<Cause> = BTreeSet::new();
        let mut leads: Vec<TestId> = Vec::new();
        for (test, suspect) in self.suspects.iter_mut().filter(|(_, one)| one.is_waiting()) {
            if leads.len() < LEADS && seen.insert(suspect.places()) {
                suspect.leads = true;
                leads.push(test.clone());
            }
        }
        let mut experiments = Vec::new();
        for test in leads {
            let suspect = self.suspects[&test].clone();
            if !suspect.is_confirmed_alone() {
                self.add_alone(&mut experiments, &test, &suspect, ALONE);
            }
        }
        experiments
    }

    /// Those that wait, with what was found since.
    pub(super) fn same_cause(&mut self) -> Vec<Experiment> {
        let found: BTreeSet<Cause> = self.suspects.values().filter_map(Suspect::cause).collect();
        let new: Vec<Cause> = found.difference(&self.causes).cloned().collect();
        self.causes = found;
        let mut experiments = Vec::new();
        for cause in new {
            for (seed, (tests, only)) in self.with_places_of(&cause) {
                let choosing = Choosing { only: Some(only), ..self.choosing(seed) };
                for order in BOTH_ORDERS {
                    let fresh_vm = FreshVm::Suite;
                    let plan = Plan { fresh_vm, order, ..self.plan(choosing.clone()) };
                    let what = Proposed::SameCause(cause.clone());
                    self.add(&mut experiments, &plan, &tests, &what);
                }
            }
        }
        experiments
    }

    /// Those that wait and came to choices at all of these places, with these choices, by seed.
    fn with_places_of(&self, cause: &Cause) -> BTreeMap<u64, (Vec<TestId>, Vec<ChoiceId>)> {
        let mut by_seed: BTreeMap<u64, (Vec<TestId>, Vec<ChoiceId>)> = BTreeMap::new();
        let fits = |suspect: &Suspect| {
            suspect.is_waiting() && !suspect.by_hashes && cause.is_subset(&suspect.places())
        };
        for (test, suspect) in self.suspects.iter().filter(|(_, suspect)| fits(suspect)) {
            let (tests, choices) = by_seed.entry(suspect.seed).or_default();
            tests.push(test.clone());
            choices.extend(suspect.choices_of(cause));
        }
        by_seed
    }

    /// Lets those that lead begin to narrow, with what was found for others as first guesses.
    pub(super) fn begin_narrowing(&mut self) {
        let found: Cause = self.suspects.values().filter_map(Suspect::cause).flatten().collect();
        let leads = |suspect: &&mut Suspect| suspect.is_to_be_narrowed();
        for suspect in self.suspects.values_mut().filter(leads) {
            let all: Vec<ChoiceId> = suspect.choices.iter().map(|choice| choice.id).collect();
            let places =
                found.iter().map(|place| suspect.choices_of(&Cause::from([place.clone()])));
            // As a rule it is one kind of order. Of few choices, halves are as quick.
            let models = if all.len() > MOST_NEEDED { suspect.by_model() } else { Vec::new() };
            let guesses = places.filter(|guess| !guess.is_empty()).chain(models).collect();
            suspect.narrowing = Some(Narrowing::new(all, guesses));
        }
    }
}
