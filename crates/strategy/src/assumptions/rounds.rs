//! What is run in each round.

use std::collections::{BTreeMap, BTreeSet};

use surefoot_model::choice::HASH_SEED;
use surefoot_model::{
    ChoiceId, Choosing, Experiment, Framework, IdentityHash, Level, MadeChoice, TestId, choice,
};

use super::narrowing::Narrowing;
use super::{
    AT_A_TIME, Assumptions, CONFIRMATIONS, MOST_SUSPECTS, Proposed, SHOWN, Seeds, Suspect,
    UnderSeeds, hash_codes,
};
use crate::plan::{FreshVm, Plan};
use crate::strategy::Strategy;

/// With so many other hashes tests run that nobody asked to look at for hashes alone: it may be any test, and each costs a run.
/// One that takes two texts in the order in which a set has them fails with one of three in seven of eight cases.
const HASHES: u32 = 3;

/// A test that failed with so many seeds need not run with more.
const ENOUGH: u32 = 3;

/// Suspects that are narrowed at a time: what is found for these may be a good guess for the next.
const NARROWED_AT_A_TIME: usize = 8;

/// Most seeds that a test runs with at each of the other levels.
const SEEDS_PER_LEVEL: u32 = 5;

impl Assumptions<'_> {
    /// Whatever is wanted but hashes.
    pub(super) fn choosing(&self, seed: u64) -> Choosing {
        let Seeds { level, mut models, declared, .. } = self.seeds.clone();
        if self.wants_orders() {
            models.retain(|model| model != HASH_SEED);
        }
        Choosing { seed, level, only: None, models, declared, identity_hash: None, trace: false }
    }

    fn choosing_hashes(&self, seed: u64) -> Choosing {
        Choosing { models: vec![HASH_SEED.to_owned()], declared: Vec::new(), ..self.choosing(seed) }
    }

    /// Something else than hashes.
    fn wants_orders(&self) -> bool {
        let models = &self.seeds.models;
        models.is_empty() || models.iter().any(|model| model != HASH_SEED)
    }

    /// How many other hashes; all seeds that are wanted if it is for these alone.
    pub(super) fn hashes_wanted(&self) -> u32 {
        match &self.seeds.models[..] {
            [] => self.seeds.count.min(HASHES),
            models if models.iter().any(|model| model == HASH_SEED) => self.seeds.count,
            _ => 0,
        }
    }

    fn choosing_for(&self, suspect: &Suspect) -> Choosing {
        match suspect.by_hashes {
            true => self.choosing_hashes(suspect.seed),
            false => self.choosing(suspect.seed),
        }
    }

    /// Nothing but what a suspect takes to fail.
    pub(super) fn narrowed(&self, suspect: &Suspect, narrowing: &Narrowing) -> Choosing {
        let only = Some(narrowing.failing().to_vec());
        Choosing { only, trace: true, ..self.choosing_for(suspect) }
    }

    fn plan(&self, choosing: Choosing) -> Plan {
        Plan { limits: self.limits, choose: Some(choosing), ..Plan::default() }
    }

    fn add(
        &mut self,
        experiments: &mut Vec<Experiment>,
        plan: &Plan,
        tests: &[TestId],
        what: &Proposed,
    ) {
        let made = plan.experiments(self.watch, tests, "assumptions", self.next_id);
        self.next_id += made.len() as u64;
        self.proposed.extend(made.iter().map(|experiment| (experiment.id, what.clone())));
        experiments.extend(made);
    }

    pub(super) fn control(&mut self) -> Vec<Experiment> {
        let plan = self.plan(self.choosing(self.seeds.first).nothing());
        let (mut experiments, tests) = (Vec::new(), self.tests.clone());
        self.add(&mut experiments, &plan, &tests, &Proposed::Control);
        experiments
    }

    /// Every test that reaches a choice, with the next few seeds.
    pub(super) fn seeds(&mut self, from: u32) -> Vec<Experiment> {
        let wanted =
            |test: &TestId| self.under_seeds.get(test).is_none_or(|seen| seen.failed < ENOUGH);
        let reaching = self.reached.iter().filter(|(_, reached)| **reached > 0);
        let tests: Vec<TestId> =
            reaching.map(|(test, _)| test.clone()).filter(|test| wanted(test)).collect();
        let mut experiments = Vec::new();
        if tests.is_empty() || !self.wants_orders() {
            return experiments;
        }
        for number in from..self.seeds.count.min(from + AT_A_TIME) {
            let seed = self.seeds.first.wrapping_add(u64::from(number));
            let plan = self.plan(self.choosing(seed));
            self.add(&mut experiments, &plan, &tests, &Proposed::Seed(seed));
        }
        experiments
    }

    /// Every test of Python that has not failed yet, with the next few hashes.
    pub(super) fn hashes(&mut self, from: u32) -> Vec<Experiment> {
        let failed =
            |seen: Option<&UnderSeeds>, often: u32| seen.is_some_and(|seen| seen.failed >= often);
        let wanted = |test: &&TestId| {
            self.is_python(test)
                && !failed(self.under_seeds.get(*test), 1)
                && !failed(self.under_hashes.get(*test), ENOUGH)
        };
        let tests: Vec<TestId> = self.reached.keys().filter(wanted).cloned().collect();
        let mut experiments = Vec::new();
        if tests.is_empty() {
            return experiments;
        }
        for number in from..self.hashes_wanted().min(from + AT_A_TIME) {
            let seed = self.seeds.first.wrapping_add(u64::from(number));
            let plan = self.plan(self.choosing_hashes(seed));
            self.add(&mut experiments, &plan, &tests, &Proposed::Hashes(seed));
        }
        experiments
    }

    pub(super) fn confirm(&mut self) -> Vec<Experiment> {
        let suspects = |seen: &BTreeMap<TestId, UnderSeeds>, by_hashes: bool| {
            let suspect = |(test, seen): (&TestId, &UnderSeeds)| {
                let suspect = Suspect { seed: seen.first?, by_hashes, ..Suspect::default() };
                Some((test.clone(), suspect))
            };
            seen.iter().filter_map(suspect).collect::<Vec<_>>()
        };
        let failed = suspects(&self.under_seeds, false).into_iter();
        let failed = failed.chain(suspects(&self.under_hashes, true));
        self.suspects = failed.take(MOST_SUSPECTS).collect();
        let mut experiments = Vec::new();
        for (test, suspect) in self.suspects.clone() {
            let choosing = Choosing { trace: true, ..self.choosing_for(&suspect) };
            let alone = |choosing| Plan {
                fresh_vm: FreshVm::Test,
                rounds: CONFIRMATIONS,
                ..self.plan(choosing)
            };
            let (fails, passes) = (alone(choosing.clone()), alone(choosing.nothing()));
            let tests = std::slice::from_ref(&test);
            self.add(&mut experiments, &fails, tests, &Proposed::ConfirmFails(test.clone()));
            self.add(&mut experiments, &passes, tests, &Proposed::ConfirmPasses(test.clone()));
        }
        experiments
    }

    /// The next candidates of a few suspects.
    pub(super) fn narrow(&mut self) -> Vec<Experiment> {
        self.begin_narrowing();
        let mut experiments = Vec::new();
        for (test, suspect) in self.suspects.clone() {
            let candidates = suspect.narrowing.as_ref().map(Narrowing::candidates);
            for (number, only) in candidates.unwrap_or_default().into_iter().enumerate() {
                let choosing = Choosing { only: Some(only), ..self.choosing_for(&suspect) };
                let plan = Plan { fresh_vm: FreshVm::Test, ..self.plan(choosing) };
                let what = Proposed::Candidate(test.clone(), number);
                self.add(&mut experiments, &plan, std::slice::from_ref(&test), &what);
            }
        }
        experiments
    }

    /// Lets the next suspects join in, with what was found for others as first guesses.
    fn begin_narrowing(&mut self) {
        let found: BTreeSet<(String, String)> = self
            .suspects
            .values()
            .filter_map(|suspect| Some((suspect, suspect.narrowing.as_ref()?)))
            .filter(|(_, narrowing)| narrowing.is_done())
            .flat_map(|(suspect, narrowing)| places(&suspect.choices, narrowing.failing()))
            .collect();
        let at_it = self.suspects.values().filter(|suspect| {
            suspect.narrowing.as_ref().is_some_and(|narrowing| !narrowing.is_done())
        });
        let room = NARROWED_AT_A_TIME.saturating_sub(at_it.count());
        let waiting = self
            .suspects
            .values_mut()
            .filter(|suspect| suspect.is_confirmed() && suspect.narrowing.is_none());
        for suspect in waiting.take(room) {
            let all: Vec<ChoiceId> = suspect.choices.iter().map(|choice| choice.id).collect();
            let guesses = found.iter().map(|(model, place)| {
                let there = |choice: &&MadeChoice| choice.model == *model && choice.place == *place;
                suspect.choices.iter().filter(there).map(|choice| choice.id).collect()
            });
            let guesses = guesses.filter(|guess: &Vec<ChoiceId>| !guess.is_empty()).collect();
            suspect.narrowing = Some(Narrowing::new(all, guesses));
        }
    }

    pub(super) fn show(&mut self) -> Vec<Experiment> {
        let mut experiments = Vec::new();
        for (test, suspect) in self.suspects.clone() {
            let Some(narrowing) = &suspect.narrowing else { continue };
            let choosing = self.narrowed(&suspect, narrowing);
            let plan = Plan { fresh_vm: FreshVm::Test, rounds: SHOWN, ..self.plan(choosing) };
            let tests = std::slice::from_ref(&test);
            self.add(&mut experiments, &plan, tests, &Proposed::Show(test.clone()));
        }
        experiments
    }

    /// One test for each cause, at the levels that were not asked for. There are none of hashes.
    pub(super) fn levels(&mut self) -> Vec<Experiment> {
        let by_hashes =
            |test: &TestId| self.suspects.get(test).is_some_and(|suspect| suspect.by_hashes);
        let tests: Vec<TestId> = self
            .findings()
            .into_iter()
            .filter_map(|finding| finding.tests.into_iter().next())
            .filter(|test| !by_hashes(test))
            .collect();
        let mut experiments = Vec::new();
        if tests.is_empty() {
            return experiments;
        }
        let others = Level::ALL.into_iter().filter(|level| *level != self.seeds.level);
        for level in others.collect::<Vec<_>>() {
            for number in 0..self.seeds.count.min(SEEDS_PER_LEVEL) {
                let seed = self.seeds.first.wrapping_add(u64::from(number));
                let plan = self.plan(Choosing { level, ..self.choosing(seed) });
                self.add(&mut experiments, &plan, &tests, &Proposed::Level(level));
            }
        }
        experiments
    }

    fn is_python(&self, test: &TestId) -> bool {
        self.watch.tests.get(test).is_some_and(|test| test.framework == Framework::Pytest)
    }

    /// All that passed in the control: nobody sees who asks for a hash code.
    pub(super) fn other_hash_codes(&mut self) -> Vec<Experiment> {
        let mut experiments = Vec::new();
        for (model, of_python) in [(choice::IDENTITY_HASH, false), (choice::OBJECT_ID, true)] {
            let models = &self.seeds.models;
            let wanted = models.is_empty() || models.iter().any(|named| named == model);
            let tests = self.reached.keys().filter(|test| self.is_python(test) == of_python);
            let tests: Vec<TestId> = tests.cloned().collect();
            if !wanted || tests.is_empty() {
                continue;
            }
            for hash in hash_codes::allowed(self.seeds.level, of_python) {
                let plan = self.plan(self.with_hash_codes(Some(*hash)));
                self.add(&mut experiments, &plan, &tests, &Proposed::HashCodes(*hash));
            }
        }
        experiments
    }

    pub(super) fn confirm_hash_codes(&mut self) -> Vec<Experiment> {
        let mut experiments = Vec::new();
        for (test, hash) in self.hash_codes.suspects() {
            for hash in [Some(hash), None] {
                let plan = Plan {
                    fresh_vm: FreshVm::Test,
                    rounds: CONFIRMATIONS,
                    ..self.plan(self.with_hash_codes(hash))
                };
                let what = Proposed::ConfirmHashCodes(test.clone(), hash.is_some());
                self.add(&mut experiments, &plan, std::slice::from_ref(&test), &what);
            }
        }
        experiments
    }

    /// And nothing else other than usual.
    fn with_hash_codes(&self, identity_hash: Option<IdentityHash>) -> Choosing {
        Choosing { identity_hash, ..self.choosing(self.seeds.first).nothing() }
    }
}

/// Models and places of these choices.
fn places<'c>(
    choices: &'c [MadeChoice],
    ids: &'c [ChoiceId],
) -> impl Iterator<Item = (String, String)> + 'c {
    let among = choices.iter().filter(|choice| ids.contains(&choice.id));
    among.map(|choice| (choice.model.clone(), choice.place.clone()))
}
