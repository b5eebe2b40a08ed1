//! What is run in each round.

use std::collections::{BTreeMap, BTreeSet};

use surefoot_model::choice::HASH_SEED;
use surefoot_model::{
    After, ChoiceId, Choosing, Experiment, Framework, IdentityHash, LaunchId, Level, Start, TestId,
    choice,
};

use super::causes::BOTH_ORDERS;
use super::narrowing::Narrowing;
use super::predecessors;
use super::suspect::{CONFIRMATIONS, SHOWN, Suspect};
use super::{
    AT_A_TIME, Assumptions, MOST_ALONE, MOST_SUSPECTS, Proposed, Seeds, UnderSeeds, hash_codes,
};
use crate::parts::parts;
use crate::plan::{FreshVm, Plan};
use crate::strategy::Strategy;

/// With so many other hashes tests run that nobody asked to look at for hashes alone: it may be any test, and each costs a run.
/// One that takes two texts in the order in which a set has them fails with one of three in seven of eight cases.
const HASHES: u32 = 3;

/// A test that failed with so many seeds need not run with more.
const ENOUGH: u32 = 3;

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

    pub(super) fn choosing_for(&self, suspect: &Suspect) -> Choosing {
        match suspect.by_hashes {
            true => self.choosing_hashes(suspect.seed),
            false => self.choosing(suspect.seed),
        }
    }

    /// Nothing but what a suspect takes to fail.
    pub(super) fn narrowed(&self, suspect: &Suspect, narrowing: &Narrowing<ChoiceId>) -> Choosing {
        let only = Some(narrowing.failing().to_vec());
        Choosing { only, trace: true, ..self.choosing_for(suspect) }
    }

    pub(super) fn plan(&self, choosing: Choosing) -> Plan {
        Plan { limits: self.limits, choose: Some(choosing), ..Plan::default() }
    }

    pub(super) fn add(
        &mut self,
        experiments: &mut Vec<Experiment>,
        plan: &Plan,
        tests: &[TestId],
        what: &Proposed,
    ) {
        let made = plan.experiments(self.watch, tests, self.purpose(), self.next_id);
        self.next_id += made.len() as u64;
        self.proposed.extend(made.iter().map(|experiment| (experiment.id, what.clone())));
        experiments.extend(made);
    }

    /// The same in forks, where these will do: whatever comes of it is confirmed in VMs that were started.
    pub(super) fn add_forked(
        &mut self,
        experiments: &mut Vec<Experiment>,
        plan: &Plan,
        tests: &[TestId],
        what: &Proposed,
    ) {
        let (forked, started): (Vec<TestId>, Vec<TestId>) =
            tests.iter().cloned().partition(|test| self.may_be_forked(test));
        for (start, tests) in [(Start::FORKED, forked), (Start::Plain, started)] {
            self.add(experiments, &Plan { start, ..plan.clone() }, &tests, what);
        }
    }

    pub(super) fn may_be_forked(&self, test: &TestId) -> bool {
        self.is_python(test) && !self.unlike_in_forks.contains(test)
    }

    /// One VM, or one for each of those that the tests were watched in, for several seeds.
    fn add_row(
        &mut self,
        experiments: &mut Vec<Experiment>,
        row: Vec<Choosing>,
        tests: &[TestId],
        after: impl Fn(u64) -> After,
        what: impl Fn(&Choosing, u64) -> Proposed,
    ) {
        let mut vms: Vec<u64> = Vec::new();
        let mut before: Vec<u64> = Vec::new();
        for choosing in row {
            let plan = self.plan(choosing.clone());
            let mut made = plan.experiments(self.watch, tests, self.purpose(), self.next_id);
            self.next_id += made.len() as u64;
            for (one, experiment) in made.iter_mut().zip(&before) {
                one.settings.after = Some(after(*experiment));
            }
            before = made.iter().map(|experiment| experiment.id).collect();
            if vms.is_empty() {
                vms.clone_from(&before);
            }
            let proposed = before.iter().zip(&vms).map(|(id, vm)| (*id, what(&choosing, *vm)));
            self.proposed.extend(proposed);
            experiments.extend(made);
        }
    }

    /// Tests that came to a choice, and did not fail in the control.
    pub(super) fn reaching(&self) -> impl Iterator<Item = &TestId> {
        self.reached.iter().filter(|(_, reached)| **reached > 0).map(|(test, _)| test)
    }

    fn seed(&self, number: u32) -> u64 {
        self.seeds.first.wrapping_add(u64::from(number))
    }

    /// Every test of a JVM that may reach a choice, with all seeds. Each VM has a part of the suite, so that no two of them look for what reaches
    /// a choice in the same tests.
    pub(super) fn together(&mut self) -> Vec<Experiment> {
        let reaches = |test: &TestId| self.reached.get(test).is_some_and(|reached| *reached > 0);
        let may = |test: &TestId| !self.controlled.contains(test) || reaches(test);
        let wanted = self.tests.iter().filter(|test| !self.is_python(test) && may(test));
        let tests: Vec<TestId> = wanted.cloned().collect();
        let mut experiments = Vec::new();
        if tests.is_empty() || !self.wants_orders() {
            return experiments;
        }
        let parts = parts(self.watch, &tests, self.vms);
        // VMs that no part needs take some of the seeds.
        let vms = (self.vms / u32::try_from(parts.len()).unwrap_or(u32::MAX).max(1)).max(1);
        for part in parts {
            for vm in 0..vms.min(self.seeds.count) {
                let numbers = (vm..self.seeds.count).step_by(vms as usize);
                let row = numbers.map(|number| self.choosing(self.seed(number))).collect();
                let what = |choosing: &Choosing, vm| Proposed::Together { seed: choosing.seed, vm };
                let after = |experiment| After { experiment, enough: ENOUGH, choosing: true };
                self.add_row(&mut experiments, row, &part, after, what);
            }
        }
        experiments
    }

    /// Tests of Python, whose workers serve one experiment; and those of classes with a test that may end otherwise in a VM in which it
    /// ran before. What these did there no longer counts, unless it is confirmed.
    fn decide_afresh(&mut self) {
        let class = |test: &TestId| self.watch.tests.get(test).map(|test| test.class.as_str());
        let is_confirmed =
            |test: &TestId| self.suspects.get(test).is_some_and(Suspect::is_confirmed);
        let unconfirmed = self.suspects.keys().filter(|test| !is_confirmed(test));
        let classes: BTreeSet<&str> =
            self.afresh.once().chain(unconfirmed).filter_map(class).collect();
        let needs = |test: &&TestId| {
            let is_of_such_a_class = || class(test).is_some_and(|class| classes.contains(class));
            self.is_python(test) || (is_of_such_a_class() && !is_confirmed(test))
        };
        let tests: BTreeSet<TestId> = self.reaching().filter(needs).cloned().collect();
        self.under_seeds.retain(|test, _| !tests.contains(test));
        let suspects = std::mem::take(&mut self.suspects);
        (self.set_aside, self.suspects) =
            suspects.into_iter().partition(|(test, _)| tests.contains(test));
        self.afresh.decide(tests);
    }

    /// Tests that need it, with the next few seeds, each in a fresh VM.
    pub(super) fn seeds(&mut self, from: u32) -> Vec<Experiment> {
        if !self.afresh.is_decided() {
            self.decide_afresh();
        }
        let wanted = |test: &&TestId| {
            self.under_seeds.get(*test).is_none_or(|seen| seen.failures() < ENOUGH)
        };
        let tests: Vec<TestId> = self.afresh.tests().filter(wanted).cloned().collect();
        let mut experiments = Vec::new();
        if tests.is_empty() || !self.wants_orders() {
            return experiments;
        }
        for number in from..self.seeds.count.min(from + AT_A_TIME) {
            let seed = self.seed(number);
            let plan = self.plan(self.choosing(seed));
            self.add_forked(&mut experiments, &plan, &tests, &Proposed::Seed(seed));
        }
        experiments
    }

    /// Every test of Python that has not failed yet, with the next few hashes.
    pub(super) fn hashes(&mut self, from: u32) -> Vec<Experiment> {
        let failed = |seen: Option<&UnderSeeds>, often: u32| {
            seen.is_some_and(|seen| seen.failures() >= often)
        };
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
            let seed = self.seed(number);
            let plan = self.plan(self.choosing_hashes(seed));
            self.add(&mut experiments, &plan, &tests, &Proposed::Hashes(seed));
        }
        experiments
    }

    /// Suspects that have not been looked at yet: all with the same seed in one VM, and all without in one; then the other way round.
    pub(super) fn confirm(&mut self) -> Vec<Experiment> {
        let mut experiments = Vec::new();
        for by_hashes in [false, true] {
            let seen = if by_hashes { &self.under_hashes } else { &self.under_seeds };
            let new = seen.iter().filter(|(test, seen)| {
                !seen.failed.is_empty() && !self.suspects.contains_key(*test)
            });
            let room = MOST_SUSPECTS.saturating_sub(self.suspects.len());
            let new: BTreeMap<&TestId, &BTreeSet<u64>> =
                new.take(room).map(|(test, seen)| (test, &seen.failed)).collect();
            let by_seed = with_few_seeds(new);
            let all: Vec<TestId> = by_seed.values().flatten().cloned().collect();
            let mut row = Vec::new();
            for (seed, tests) in by_seed {
                let suspect = Suspect::new(seed, by_hashes);
                let choosing = Choosing { trace: true, ..self.choosing_for(&suspect) };
                self.suspects.extend(tests.iter().map(|test| (test.clone(), suspect.clone())));
                row.push((choosing, tests));
            }
            self.add_among(&mut experiments, row, true);
            if let Some(test) = all.first() {
                let usual = self.choosing_for(&self.suspects[test]).nothing();
                self.add_among(&mut experiments, vec![(usual, all)], false);
            }
        }
        experiments
    }

    /// Suspects in one VM, each once, and the other way round in another. Workers of Python serve one experiment, so there it is
    /// one for each row.
    fn add_among(
        &mut self,
        experiments: &mut Vec<Experiment>,
        mut row: Vec<(Choosing, Vec<TestId>)>,
        with: bool,
    ) {
        for order in BOTH_ORDERS {
            let mut vms: BTreeMap<LaunchId, u64> = BTreeMap::new();
            for (choosing, tests) in &row {
                let plan = Plan { fresh_vm: FreshVm::Suite, order, ..self.plan(choosing.clone()) };
                let begin = experiments.len();
                self.add(experiments, &plan, tests, &Proposed::Confirm { with, alone: false });
                for one in &mut experiments[begin..] {
                    if one.runs.iter().any(|run| self.is_python(&run.test)) {
                        continue;
                    }
                    let before = vms.insert(one.launch.clone(), one.id);
                    let (enough, choosing) = (u32::MAX, false);
                    let after = |experiment| After { experiment, enough, choosing };
                    one.settings.after = before.map(after);
                }
            }
            row.reverse();
        }
    }

    /// Suspects that ended otherwise among the others.
    pub(super) fn confirm_alone(&mut self) -> Vec<Experiment> {
        let mut experiments = Vec::new();
        let disturbed = self.suspects.clone().into_iter();
        let disturbed = disturbed.filter(|(_, suspect)| suspect.times_alone() > 0);
        for (test, suspect) in disturbed.take(MOST_ALONE) {
            self.add_alone(&mut experiments, &test, &suspect, suspect.times_alone());
        }
        experiments
    }

    /// So many times with what is chosen for it, and as often without.
    pub(super) fn add_alone(
        &mut self,
        experiments: &mut Vec<Experiment>,
        test: &TestId,
        suspect: &Suspect,
        rounds: u32,
    ) {
        let choosing = Choosing { trace: true, ..self.choosing_for(suspect) };
        for (with, choosing) in [(true, choosing.clone()), (false, choosing.nothing())] {
            let what = match suspect.after.is_empty() {
                true => Proposed::Confirm { with, alone: true },
                false => Proposed::ConfirmAfter { test: test.clone(), with },
            };
            self.add_one(experiments, test, suspect, Plan { rounds, ..self.plan(choosing) }, &what);
        }
    }

    /// In a fresh VM, alone or after those that it needs.
    fn add_one(
        &mut self,
        experiments: &mut Vec<Experiment>,
        test: &TestId,
        suspect: &Suspect,
        plan: Plan,
        what: &Proposed,
    ) {
        let fresh_vm = if suspect.after.is_empty() { FreshVm::Test } else { FreshVm::Suite };
        let tests = predecessors::with(suspect.after.clone(), test);
        self.add(experiments, &Plan { fresh_vm, ..plan }, &tests, what);
    }

    /// The next candidates of a few suspects.
    pub(super) fn narrow(&mut self) -> Vec<Experiment> {
        self.begin_narrowing();
        let mut experiments = Vec::new();
        for (test, suspect) in self.suspects.clone() {
            let candidates = suspect.narrowing.as_ref().map(Narrowing::candidates);
            for (number, only) in candidates.unwrap_or_default().into_iter().enumerate() {
                let choosing = Choosing { only: Some(only), ..self.choosing_for(&suspect) };
                let what = Proposed::Candidate(test.clone(), number);
                let is_forked = self.may_be_forked(&test) && !suspect.by_hashes;
                let start = if is_forked { Start::FORKED } else { Start::Plain };
                let plan = Plan { start, ..self.plan(choosing) };
                self.add_one(&mut experiments, &test, &suspect, plan, &what);
            }
        }
        experiments
    }

    pub(super) fn show(&mut self) -> Vec<Experiment> {
        let mut experiments = Vec::new();
        for (test, suspect) in self.suspects.clone() {
            let Some(narrowing) = &suspect.narrowing else { continue };
            let choosing = self.narrowed(&suspect, narrowing);
            let plan = Plan { rounds: SHOWN, ..self.plan(choosing) };
            let what = Proposed::Show(test.clone());
            self.add_one(&mut experiments, &test, &suspect, plan, &what);
        }
        experiments
    }

    /// One test for each cause, at the levels that were not asked for. There are none of hashes; and what a test takes that fails after
    /// others is not known for other levels.
    pub(super) fn levels(&mut self) -> Vec<Experiment> {
        let has_none = |suspect: &Suspect| suspect.by_hashes || !suspect.after.is_empty();
        let has_none = |test: &TestId| self.suspects.get(test).is_some_and(has_none);
        let tests: Vec<TestId> = self
            .findings()
            .into_iter()
            .filter_map(|finding| finding.tests.into_iter().next())
            .filter(|test| !has_none(test))
            .collect();
        let mut experiments = Vec::new();
        if tests.is_empty() {
            return experiments;
        }
        // Those that need a fresh VM for each seed have one here, too.
        let (afresh, others): (Vec<TestId>, Vec<TestId>) =
            tests.into_iter().partition(|test| self.afresh.has(test));
        let levels = Level::ALL.into_iter().filter(|level| *level != self.seeds.level);
        for level in levels.collect::<Vec<_>>() {
            let numbers = 0..self.seeds.count.min(SEEDS_PER_LEVEL);
            let choosing = |number| Choosing { level, ..self.choosing(self.seed(number)) };
            let row: Vec<Choosing> = numbers.map(choosing).collect();
            for choosing in &row {
                let plan = self.plan(choosing.clone());
                self.add_forked(&mut experiments, &plan, &afresh, &Proposed::Level(level));
            }
            let after = |experiment| After { experiment, enough: u32::MAX, choosing: false };
            self.add_row(&mut experiments, row, &others, after, |_, _| Proposed::Level(level));
        }
        experiments
    }

    pub(super) fn is_python(&self, test: &TestId) -> bool {
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

/// Each test with a seed that it failed with, so that many have the same: the seed that most failed with comes first.
fn with_few_seeds(mut failed: BTreeMap<&TestId, &BTreeSet<u64>>) -> BTreeMap<u64, Vec<TestId>> {
    let mut chosen = BTreeMap::new();
    while !failed.is_empty() {
        let mut times: BTreeMap<u64, usize> = BTreeMap::new();
        for seed in failed.values().copied().flatten() {
            *times.entry(*seed).or_default() += 1;
        }
        // The lowest of those that are as frequent.
        let most = times.into_iter().rev().max_by_key(|(_, times)| *times);
        let Some((seed, _)) = most else { break };
        let (with_it, others): (BTreeMap<_, _>, BTreeMap<_, _>) =
            failed.into_iter().partition(|(_, seeds)| seeds.contains(&seed));
        chosen.insert(seed, with_it.into_keys().cloned().collect());
        failed = others;
    }
    chosen
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn suspects_have_the_seeds_that_most_of_them_failed_with() {
        let (a, b, c) = (TestId::from("a"), TestId::from("b"), TestId::from("c"));
        let [of_a, of_b, of_c] = [[1, 3], [2, 3], [2, 4]].map(BTreeSet::from);
        let failed = BTreeMap::from([(&a, &of_a), (&b, &of_b), (&c, &of_c)]);
        let expected = BTreeMap::from([(2, vec![b.clone(), c.clone()]), (1, vec![a.clone()])]);
        assert_eq!(with_few_seeds(failed), expected);
    }
}
