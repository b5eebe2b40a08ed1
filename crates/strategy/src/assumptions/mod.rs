//! Tests that assume what a specification does not promise (NonDex).
//!
//! Tests run under *seeds*, several of them in one VM: one that is warm takes a fraction of the time. What reaches no choice the first time
//! cannot depend on one, and does not run again. Where there are very many tests, and in Python, that is found out in a *control* before: every test
//! in a VM that is woven and chooses nothing. What fails there is not looked at. A test that fails is *confirmed* in fresh VMs, among the other suspects or alone: it must fail with its seed and
//! pass without. (If some never pass without, there is the control now.) What may be different in a VM in which it ran before (`afresh.rs`) runs under seeds once more, with a fresh VM for each.
//! One that fails there and never alone may need a test *before* it, which is searched for (`predecessors.rs`). Then a
//! few tests *lead* (`causes.rs`): the choices of each are *narrowed* to the few that it takes, and others are tried with the *same cause*. What
//! those that lead take is *shown*: once more, with stack and order. Last, one test for each cause runs with a few seeds at the other *levels*: one that fails even at ONE is worse than one that needs FULL.
//!
//! In Python, control, seeds, narrowing and levels run in forks (`Start::Forked`), unless a test fails in a fork alone; what confirms and
//! shows a finding runs in processes that were started.
//!
//! Hashes of text follow there from a seed that a process starts with. So tests of Python that failed under no seed of ours
//! run in processes with other *hashes*, and nothing else other than usual; all other experiments fix that seed.
//!
//! On the JVM, every test also runs in VMs that give objects other *hash codes* (`hash_codes.rs`).

mod advice;
mod afresh;
mod causes;
mod control;
mod finding;
mod frames;
mod hash_codes;
mod narrowing;
mod predecessors;
mod rounds;
mod suspect;
mod words;

use std::collections::{BTreeMap, BTreeSet};

use surefoot_model::{
    Choosing, Confidence, Declaration, Experiment, Finding, IdentityHash, Level, MadeChoice,
    Outcome, RunOutcome, TestId, Watch,
};

use crate::plan::Limits;
use crate::strategy::Strategy;
use afresh::Afresh;
use causes::Cause;
use finding::Guilty;
pub use finding::told_choices;
use hash_codes::HashCodes;
use suspect::{AMONG, CONFIRMATIONS, SHOWN, Suspect};

/// Seeds that run at a time; in between, tests that failed often enough are left out. An even number, which two cores, or four, work on to
/// the end.
const AT_A_TIME: u32 = 4;

/// VMs that seeds are divided among, unless it is said how many can run at a time.
const VMS: u32 = 2;

/// More suspects than this are not looked at.
const MOST_SUSPECTS: usize = 2000;

/// More than this, of those that ended otherwise among other suspects, are not looked at one by one.
const MOST_ALONE: usize = 200;

/// What to choose and how often.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Seeds {
    pub level: Level,
    /// The first one; the others follow it.
    pub first: u64,
    pub count: u32,
    /// Only what these models are of; all if empty.
    pub models: Vec<String>,
    /// Methods that can be chosen for too, unless it is only for some models.
    pub declared: Vec<Declaration>,
}

#[derive(Debug)]
pub struct Assumptions<'a> {
    watch: &'a Watch,
    tests: Vec<TestId>,
    seeds: Seeds,
    limits: Limits,
    /// How many VMs seeds are divided among.
    vms: u32,
    round: Round,
    next_id: u64,
    /// What the experiments under way are, by number.
    proposed: BTreeMap<u64, Proposed>,
    /// Tests that passed in the control, with how many choices they reached.
    reached: BTreeMap<TestId, u32>,
    /// Tests that did not pass in the control, of those that were in it, and whether they ran at all.
    failed_control: BTreeMap<TestId, bool>,
    controlled: BTreeSet<TestId>,
    /// Tests that passed in the control, but not in a fork: they are never forked again.
    unlike_in_forks: BTreeSet<TestId>,
    /// Under seeds, by test.
    under_seeds: BTreeMap<TestId, UnderSeeds>,
    /// With other hashes, by test.
    under_hashes: BTreeMap<TestId, UnderSeeds>,
    suspects: BTreeMap<TestId, Suspect>,
    afresh: Afresh,
    /// Suspects that were not confirmed, while their tests run in fresh VMs.
    set_aside: BTreeMap<TestId, Suspect>,
    /// Causes that others were tried with.
    causes: BTreeSet<Cause>,
    /// How often tests failed at other levels.
    rates: BTreeMap<TestId, BTreeMap<Level, Rate>>,
    hash_codes: HashCodes,
}

/// Under seeds.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
struct Rate {
    failed: u32,
    runs: u32,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Round {
    Control,
    /// The same, later: for tests that were not in it and do not pass in fresh VMs.
    LateControl,
    ControlWithoutForks,
    /// Several seeds in each VM.
    Together,
    /// A fresh VM for each; from this seed on, counted from 0.
    Seeds(u32),
    /// The same.
    Hashes(u32),
    Confirm,
    ConfirmAlone,
    /// Which tests before it a suspect needs.
    Before,
    ConfirmAfter,
    /// A few of the suspects, alone.
    Lead,
    Narrow,
    /// The others, with what was found for these.
    SameCause,
    Show,
    Levels,
    HashCodes,
    ConfirmHashCodes,
    Done,
}

#[derive(Debug, Clone)]
enum Proposed {
    Control,
    ControlWithoutForks,
    /// In a VM whose first experiment has this number.
    Together {
        seed: u64,
        vm: u64,
    },
    Seed(u64),
    Hashes(u64),
    /// Suspects, with or without what is chosen for them.
    Confirm {
        with: bool,
        alone: bool,
    },
    /// One suspect, after those that it needs.
    ConfirmAfter {
        test: TestId,
        with: bool,
    },
    /// The test, after the candidate of this number.
    Before(TestId, usize),
    /// The candidate of this number.
    Candidate(TestId, usize),
    /// Suspects, with what is chosen at these places.
    SameCause(Cause),
    Show(TestId),
    Level(Level),
    HashCodes(IdentityHash),
    /// Alone; with other hash codes, or without.
    ConfirmHashCodes(TestId, bool),
}

/// What a test takes to fail, and how often that was seen.
struct Proof {
    choosing: Choosing,
    choices: Vec<MadeChoice>,
    confidence: Confidence,
    executions: u32,
}

#[derive(Debug, Clone, Default)]
struct UnderSeeds {
    ran: BTreeSet<u64>,
    failed: BTreeSet<u64>,
}

impl UnderSeeds {
    fn count(&mut self, seed: u64, failed: bool) {
        self.ran.insert(seed);
        if failed {
            self.failed.insert(seed);
        }
    }

    fn failures(&self) -> u32 {
        number_of(&self.failed)
    }

    fn rate(&self) -> Rate {
        Rate { failed: number_of(&self.failed), runs: number_of(&self.ran) }
    }
}

fn number_of(seeds: &BTreeSet<u64>) -> u32 {
    u32::try_from(seeds.len()).unwrap_or(u32::MAX)
}

impl<'a> Assumptions<'a> {
    /// `tests`: which of the watched ones are wanted. Those that did not pass are left out.
    pub fn new(watch: &'a Watch, tests: Vec<TestId>, seeds: Seeds, limits: Limits) -> Self {
        let passed: BTreeSet<&TestId> =
            watch.runs().filter(|run| run.result.passed()).map(|run| &run.test).collect();
        let tests = tests.into_iter().filter(|test| passed.contains(test)).collect();
        Assumptions {
            watch,
            tests,
            seeds,
            limits,
            vms: VMS,
            round: Round::Control,
            next_id: 1,
            proposed: BTreeMap::new(),
            reached: BTreeMap::new(),
            failed_control: BTreeMap::new(),
            controlled: BTreeSet::new(),
            unlike_in_forks: BTreeSet::new(),
            under_seeds: BTreeMap::new(),
            under_hashes: BTreeMap::new(),
            suspects: BTreeMap::new(),
            afresh: Afresh::default(),
            set_aside: BTreeMap::new(),
            causes: BTreeSet::new(),
            rates: BTreeMap::new(),
            hash_codes: HashCodes::default(),
        }
    }

    /// Numbers its experiments from here on: others of the same run of Surefoot have the numbers below.
    pub fn numbered_from(self, next_id: u64) -> Self {
        Assumptions { next_id, ..self }
    }

    /// As many VMs can run at a time: none of them need wait for another one's seeds.
    pub fn divided_among(self, vms: usize) -> Self {
        Assumptions { vms: u32::try_from(vms).unwrap_or(u32::MAX).max(VMS), ..self }
    }

    /// The number of the next experiment of the same run of Surefoot.
    pub fn next_id(&self) -> u64 {
        self.next_id
    }

    /// How many tests ran under seeds: those that reach a choice, and those of Python with other hashes.
    pub fn run_under_seeds(&self) -> usize {
        let tests: BTreeSet<&TestId> =
            self.under_seeds.keys().chain(self.under_hashes.keys()).collect();
        tests.len()
    }

    /// How many tests passed when watched but not in a VM that chooses nothing, and so were not looked at.
    pub fn without_control(&self) -> usize {
        self.failed_control.len()
    }

    /// The tests that failed under a seed, but alone in fresh VMs not each time with it, or not never without it.
    pub fn unconfirmed(&self) -> BTreeSet<TestId> {
        let seen = self.under_seeds.iter().chain(&self.under_hashes);
        let failed = seen.filter(|(_, seen)| !seen.failed.is_empty()).map(|(test, _)| test);
        let failed = failed.chain(self.suspects.keys());
        let guilty: BTreeSet<TestId> = self.guilty().into_iter().map(|one| one.test).collect();
        let failed = failed.filter(|test| !guilty.contains(*test));
        failed.chain(self.hash_codes.unconfirmed()).cloned().collect()
    }

    /// How many tests were confirmed in fresh VMs, and are not reported as nobody has looked for their causes yet.
    pub fn without_cause(&self) -> usize {
        let known: BTreeSet<TestId> = self.guilty().into_iter().map(|one| one.test).collect();
        let confirmed = self.suspects.iter().filter(|(_, suspect)| suspect.is_confirmed());
        confirmed.filter(|(test, _)| !known.contains(*test)).count()
    }

    /// What the experiments of this round are for.
    fn purpose(&self) -> &'static str {
        match self.round {
            Round::Before => "before",
            Round::Lead => "lead",
            Round::SameCause => "same cause",
            Round::Show => "show",
            Round::ConfirmHashCodes => "confirm hash codes",
            _ => self.name(),
        }
    }

    fn read(&mut self, proposed: &Proposed, run: RunOutcome) {
        let failed = run.result.is_bad();
        match proposed {
            Proposed::Control => {
                self.controlled.insert(run.test.clone());
                match run.result.passed() {
                    true => self.passed_control(run),
                    false => {
                        self.failed_control.insert(run.test, failed);
                    }
                }
            }
            Proposed::ControlWithoutForks if run.result.passed() => {
                self.failed_control.remove(&run.test);
                self.unlike_in_forks.insert(run.test.clone());
                self.passed_control(run);
            }
            Proposed::ControlWithoutForks => {}
            Proposed::Together { seed, vm } if run.result.has_ended() => {
                self.afresh.ran(*vm, &run);
                let reached = run.choices.map_or(0, |choices| choices.reached);
                let most = self.reached.entry(run.test.clone()).or_default();
                *most = reached.max(*most);
                if failed || *most > 0 {
                    self.under_seeds.entry(run.test).or_default().count(*seed, failed);
                }
            }
            // It comes to no choice, or has failed often enough.
            Proposed::Together { .. } => {}
            Proposed::Seed(seed) => {
                self.under_seeds.entry(run.test).or_default().count(*seed, failed);
            }
            Proposed::Hashes(seed) => {
                self.under_hashes.entry(run.test).or_default().count(*seed, failed);
            }
            Proposed::Level(level) => {
                let rate = self.rates.entry(run.test).or_default().entry(*level).or_default();
                rate.runs += 1;
                rate.failed += u32::from(failed);
            }
            Proposed::HashCodes(hash) => {
                self.hash_codes.among_others(run.test, *hash, &run.result);
            }
            Proposed::ConfirmHashCodes(test, with) => {
                self.hash_codes.alone(test, *with, &run.result);
            }
            Proposed::Confirm { with, alone } => {
                if let Some(suspect) = self.suspects.get_mut(&run.test) {
                    suspect.ran(*with, *alone, run);
                }
            }
            Proposed::ConfirmAfter { test, with } => {
                let Some(suspect) = self.suspects.get_mut(test) else { return };
                match run.test == *test {
                    true => suspect.ran(*with, true, run),
                    false if *with => suspect.needed_ran(run),
                    false => {}
                }
            }
            Proposed::Before(test, number) | Proposed::Candidate(test, number) => {
                if let Some(suspect) = self.suspects.get_mut(test)
                    && run.test == *test
                {
                    suspect.candidates.insert(*number, failed);
                }
            }
            Proposed::SameCause(cause) => {
                if let Some(suspect) = self.suspects.get_mut(&run.test)
                    && failed
                {
                    suspect.tried.failed(cause.clone());
                }
            }
            Proposed::Show(test) => {
                if let Some(suspect) = self.suspects.get_mut(test) {
                    suspect.showed(run.test == *test, run);
                }
            }
        }
    }

    fn passed_control(&mut self, run: RunOutcome) {
        let reached = run.choices.map_or(0, |choices| choices.reached);
        let known = self.reached.entry(run.test).or_default();
        *known = reached.max(*known);
    }

    fn hand_on_candidates(&mut self) {
        for suspect in self.suspects.values_mut() {
            let results: Vec<bool> =
                std::mem::take(&mut suspect.candidates).into_values().collect();
            if let Some(narrowing) = suspect.narrowing.as_mut()
                && !narrowing.is_done()
            {
                narrowing.observe(&results);
            }
        }
    }

    /// Whether any that leads is not narrowed yet.
    fn is_narrowing(&self) -> bool {
        let is_at_it = |suspect: &Suspect| {
            suspect.narrowing.as_ref().is_some_and(|narrowing| !narrowing.is_done())
        };
        self.suspects.values().any(|suspect| suspect.is_to_be_narrowed() || is_at_it(suspect))
    }

    fn next_round(&self) -> Round {
        match self.round {
            Round::Control => Round::ControlWithoutForks,
            Round::ControlWithoutForks => Round::Together,
            Round::Together => Round::Confirm,
            Round::Confirm if self.needs_control() => Round::LateControl,
            Round::Confirm | Round::LateControl => Round::ConfirmAlone,
            Round::ConfirmAlone if !self.afresh.is_decided() => Round::Seeds(0),
            Round::Seeds(from) if from + AT_A_TIME < self.seeds.count => {
                Round::Seeds(from + AT_A_TIME)
            }
            Round::Seeds(_) => Round::Hashes(0),
            Round::Hashes(from) if from + AT_A_TIME < self.hashes_wanted() => {
                Round::Hashes(from + AT_A_TIME)
            }
            Round::Hashes(_) => Round::Confirm,
            Round::ConfirmAlone => Round::Before,
            Round::Before if self.is_searching() => Round::Before,
            Round::Before => Round::ConfirmAfter,
            Round::ConfirmAfter => Round::Lead,
            Round::Lead | Round::Narrow if self.is_narrowing() => Round::Narrow,
            Round::Lead | Round::Narrow => Round::SameCause,
            Round::SameCause if self.is_anybody_waiting() => Round::Lead,
            // One that was to lead did not fail alone.
            Round::SameCause if !self.to_be_searched_for().is_empty() => Round::Before,
            Round::SameCause => Round::Show,
            Round::Show => Round::Levels,
            Round::Levels => Round::HashCodes,
            Round::HashCodes => Round::ConfirmHashCodes,
            Round::ConfirmHashCodes | Round::Done => Round::Done,
        }
    }

    /// Tests that failed by choices alone, each time that they ran with them.
    fn guilty(&self) -> Vec<Guilty> {
        let guilty = |(test, suspect): (&TestId, &Suspect)| {
            let Proof { choosing, choices, confidence, executions } = match suspect.tried.cause() {
                Some(cause) => self.proof_with_others(suspect, cause),
                None => self.proof_alone(suspect)?,
            };
            let seen =
                if suspect.by_hashes { &self.under_hashes } else { &self.under_seeds }.get(test);
            let seen = seen.cloned().unwrap_or_default();
            Some(Guilty {
                test: test.clone(),
                after: suspect.after.clone(),
                choosing,
                choices,
                failed: suspect.failed.clone(),
                rates: self.rates_of(test, seen.rate()),
                confidence,
                among: suspect.choices.len(),
                executions,
            })
        };
        self.suspects.iter().filter_map(guilty).collect()
    }

    /// Of one that led.
    fn proof_alone(&self, suspect: &Suspect) -> Option<Proof> {
        let narrowing = suspect.narrowing.as_ref()?;
        let (times, choices) = suspect.shown.clone();
        (times == SHOWN && !choices.is_empty()).then(|| Proof {
            choosing: self.narrowed(suspect, narrowing),
            choices,
            confidence: Confidence { seen: CONFIRMATIONS + times, of: CONFIRMATIONS + SHOWN },
            executions: narrowing.executions(),
        })
    }

    /// Of one that fails by the cause of one that led.
    fn proof_with_others(&self, suspect: &Suspect, cause: &Cause) -> Proof {
        let only = suspect.choices_of(cause);
        let taken = suspect.choices.iter().filter(|choice| only.contains(&choice.id));
        Proof {
            choices: taken.cloned().collect(),
            choosing: Choosing { only: Some(only), ..self.choosing_for(suspect) },
            confidence: Confidence { seen: 2 * AMONG, of: 2 * AMONG },
            executions: AMONG,
        }
    }

    /// With what was seen at the level that was asked for.
    fn rates_of(&self, test: &TestId, asked_for: Rate) -> BTreeMap<Level, Rate> {
        let mut rates = self.rates.get(test).cloned().unwrap_or_default();
        rates.insert(self.seeds.level, asked_for);
        rates
    }
}

impl Strategy for Assumptions<'_> {
    fn name(&self) -> &'static str {
        match self.round {
            Round::Control | Round::ControlWithoutForks | Round::LateControl => "control",
            Round::Together | Round::Seeds(_) => "seeds",
            Round::Hashes(_) => "hashes",
            Round::Confirm
            | Round::ConfirmAlone
            | Round::ConfirmAfter
            | Round::Lead
            | Round::Show
            | Round::ConfirmHashCodes
            | Round::Done => "confirm",
            Round::HashCodes => "hash codes",
            Round::Before | Round::Narrow | Round::SameCause => "narrow",
            Round::Levels => "levels",
        }
    }

    fn propose(&mut self) -> Vec<Experiment> {
        loop {
            self.proposed.clear();
            let experiments = match self.round {
                Round::Control => self.control(),
                Round::LateControl => self.late_control(),
                Round::ControlWithoutForks => self.control_without_forks(),
                Round::Together => self.together(),
                Round::Seeds(from) => self.seeds(from),
                Round::Hashes(from) => self.hashes(from),
                Round::Confirm => self.confirm(),
                Round::ConfirmAlone => self.confirm_alone(),
                Round::Before => self.before(),
                Round::ConfirmAfter => self.confirm_after(),
                Round::Lead => self.lead(),
                Round::Narrow => self.narrow(),
                Round::SameCause => self.same_cause(),
                Round::Show => self.show(),
                Round::Levels => self.levels(),
                Round::HashCodes => self.other_hash_codes(),
                Round::ConfirmHashCodes => self.confirm_hash_codes(),
                Round::Done => return Vec::new(),
            };
            if !experiments.is_empty() {
                return experiments;
            }
            self.round = self.next_round();
        }
    }

    fn observe(&mut self, outcomes: Vec<Outcome>) {
        for outcome in outcomes {
            let Some(proposed) = self.proposed.get(&outcome.experiment).cloned() else { continue };
            for run in outcome.runs {
                self.read(&proposed, run);
            }
        }
        match self.round {
            Round::Control | Round::ControlWithoutForks | Round::LateControl => {
                self.leave_out_failed_control();
            }
            Round::Narrow => self.hand_on_candidates(),
            Round::Before => self.hand_on_predecessors(),
            _ => {}
        }
        self.round = self.next_round();
    }

    fn findings(&self) -> Vec<Finding> {
        let mut findings = finding::findings(&self.guilty());
        findings.extend(self.hash_codes.findings(self.watch, &self.choosing(self.seeds.first)));
        findings
    }
}

#[cfg(test)]
mod tests;
