//! Tests that leave the state that tests share changed (PolDet).
//!
//! The watched run, or a first look in workers, shows which tests change what. Those tests run again in fresh VMs, and what
//! shows again is a finding: one for each root, whatever the number of tests that change it. What tests do to files is another
//! story: see [`files`].

mod alike;
mod files;
mod leavings;
mod python;
mod relevance;
mod roots;
mod rules;
#[cfg(test)]
pub(crate) mod samples;
mod set_up;
mod words;

use std::collections::{BTreeMap, BTreeSet, VecDeque};

use surefoot_model::{
    CapturePoints, Difference, Experiment, FileScope, Finding, Framework, Observe, Outcome,
    RunChange, RunOutcome, StateChange, Test, TestId, Watch,
};

use crate::plan::{Limits, Order, Plan};
use crate::strategy::Strategy;
use files::FileLooks;
use leavings::{Leavings, Resets};
pub(crate) use python::fix as fix_in_python;
pub(crate) use relevance::Relevance;
pub use roots::Code;
use roots::{Group, part};
pub use rules::{Rules, RulesError};
use set_up::ClassLooks;
use words::{MOST_PLACES, between, finding};
pub(crate) use words::{fix, words};

/// How often the tests that changed something run again, each time in fresh VMs.
const CONFIRMATIONS: u32 = 2;

const BACKWARDS: &str = "backwards";

/// What is looked at.
#[derive(Debug, Clone, Default)]
pub struct Scope {
    /// Which of the watched tests.
    pub tests: Vec<TestId>,
    pub files: Option<FileScope>,
    /// Regular expressions for the classes whose static fields; none for those of the project.
    pub include_roots: Vec<String>,
    /// All that changes below these roots is reported, whatever speaks against it, and nothing else; none for what is worth a report
    /// below any.
    pub roots: Vec<String>,
    /// Between these points of each test; none for around all of it.
    pub capture: Option<CapturePoints>,
    /// A file that names the classes to be initialised before the first test; none to leave that to the tests. Nothing that
    /// was seen when watched counts then, either.
    pub eager: Option<String>,
    /// The classes may be others than when they were watched: nothing that was seen then counts, but for files, which are
    /// there since.
    pub anew: bool,
}

#[derive(Debug)]
pub struct Pollution<'a> {
    watch: &'a Watch,
    rules: Rules,
    limits: Limits,
    round: Round,
    next_id: u64,
    /// Which roots a test changed when the suite ran backwards.
    backwards: BTreeMap<TestId, BTreeSet<String>>,
    failed_backwards: BTreeSet<TestId>,
    /// Tests that nobody looked at alone, though something may have changed.
    unclear: BTreeSet<TestId>,
    /// What each look at each test showed, the watched run's first.
    looks: BTreeMap<TestId, Vec<StateChange>>,
    /// What the places that a test changed held before any test of its VM changed them, for each of the looks, by path.
    first: BTreeMap<TestId, BTreeMap<String, Vec<Option<String>>>>,
    resets: Resets,
    /// Which files are looked at; none if no files are.
    scope: Option<FileScope>,
    include_roots: Vec<String>,
    roots: Vec<String>,
    capture: Option<CapturePoints>,
    eager: Option<String>,
    /// Tests that passed when watched, and not when they were looked at.
    ended_otherwise: BTreeSet<TestId>,
    files: FileLooks,
    /// Experiments that must not run at the same time as others.
    queue: VecDeque<Experiment>,
    /// None if nothing is known of the code.
    code: Option<&'a dyn Code>,
    classes: ClassLooks,
    /// Which roots class-level set-up and tear-down changed when the suite ran backwards.
    classes_backwards: BTreeMap<String, BTreeSet<String>>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Round {
    /// Tests that were not looked at, or not alone, when the command was watched.
    Look,
    Confirm,
    /// Tests that changed files, one VM after the other.
    Files,
    Backwards,
    Done,
}

impl<'a> Pollution<'a> {
    pub fn new(watch: &'a Watch, scope: Scope, rules: Rules, limits: Limits) -> Self {
        let Scope { tests, files: scope, include_roots, roots, capture, eager, anew } = scope;
        let anew = anew || eager.is_some();
        let wanted: BTreeSet<&TestId> = tests.iter().collect();
        let classes = if anew { ClassLooks::new() } else { set_up::watched(watch, &wanted) };
        let mut pollution = Pollution {
            watch,
            rules,
            limits,
            round: Round::Look,
            next_id: 1,
            backwards: BTreeMap::new(),
            failed_backwards: BTreeSet::new(),
            unclear: BTreeSet::new(),
            looks: BTreeMap::new(),
            first: BTreeMap::new(),
            resets: Resets::default(),
            scope,
            include_roots,
            roots,
            capture,
            eager,
            ended_otherwise: BTreeSet::new(),
            files: FileLooks::default(),
            queue: VecDeque::new(),
            code: None,
            classes,
            classes_backwards: BTreeMap::new(),
        };
        pollution.read_watch(&wanted, anew);
        if pollution.unclear.is_empty() {
            pollution.round = Round::Confirm;
        }
        pollution
    }

    /// What the watched run showed of these tests. `anew`: nothing but their files counts.
    fn read_watch(&mut self, wanted: &BTreeSet<&TestId>, anew: bool) {
        for vm in &self.watch.vms {
            let mut leavings = Leavings::default();
            for run in &vm.runs {
                run.change_before.iter().for_each(|change| leavings.around(change));
                let alone = run.change.is_some() && !anew;
                let mut change = run.change.clone().or_else(|| run.change_together.clone());
                let mut of_files = change.as_mut().map(StateChange::take_files).unwrap_or_default();
                let first = match &mut change {
                    Some(change) if alone => leavings.test(change, &mut self.resets),
                    _ => {
                        leavings.unknown();
                        BTreeMap::new()
                    }
                };
                let is_known = self.watch.tests.contains_key(&run.test);
                if !wanted.contains(&run.test)
                    || !is_known
                    || run.overlapped
                    || !run.result.passed()
                {
                    continue;
                }
                if self.scope.is_none() {
                    of_files.clear();
                }
                let is_clear = alone || !FileLooks::is_worth_a_look(&of_files, &self.rules);
                // Of many places only the first are listed.
                let is_listed = change.as_ref().is_some_and(StateChange::is_clear);
                self.files.first(&run.test, of_files, alone);
                let reported = |difference: &Difference| self.is_worth_a_look(difference);
                match change {
                    Some(change) if alone => self.look(&run.test, change, first),
                    Some(together)
                        if !anew
                            && is_clear
                            && is_listed
                            && !together.differences.iter().any(reported) =>
                    {
                        self.look(&run.test, StateChange::default(), first);
                    }
                    _ => {
                        self.unclear.insert(run.test.clone());
                    }
                }
            }
        }
    }

    fn look(
        &mut self,
        test: &TestId,
        change: StateChange,
        first: BTreeMap<String, Option<String>>,
    ) {
        self.looks.entry(test.clone()).or_default().push(change);
        let values = self.first.entry(test.clone()).or_default();
        for (path, value) in first {
            values.entry(path).or_default().push(value);
        }
    }

    /// With the code of the program to say which fields are filled by whoever asks first.
    pub fn knowing(self, code: &'a dyn Code) -> Self {
        Pollution { code: Some(code), ..self }
    }

    /// Numbers its experiments from here on: others of the same run of Surefoot have the numbers below.
    pub fn numbered_from(self, next_id: u64) -> Self {
        Pollution { next_id, ..self }
    }

    /// The number of the next experiment of the same run of Surefoot.
    pub fn next_id(&self) -> u64 {
        self.next_id
    }

    /// How many tests there are of which it could not be found out whether they change anything.
    pub fn unclear(&self) -> usize {
        let is_unclear = |looks: &&Vec<StateChange>| looks.iter().any(|look| look.unclear);
        self.looks.values().filter(is_unclear).count()
    }

    /// Tests that were run to be looked at, and yet were not.
    pub fn not_looked_at(&self) -> Vec<&TestId> {
        let is_missing = |test: &&TestId| self.looks.get(*test).is_none_or(Vec::is_empty);
        self.unclear.iter().filter(is_missing).collect()
    }

    /// Tests that passed when watched, and not when they were looked at.
    pub fn ended_otherwise(&self) -> &BTreeSet<TestId> {
        &self.ended_otherwise
    }

    /// Tests that passed when watched, and failed when the suite ran backwards: they depend on the order of tests.
    pub fn failed_backwards(&self) -> &BTreeSet<TestId> {
        &self.failed_backwards
    }

    /// How many tests were looked at.
    pub fn looked_at(&self) -> usize {
        self.looks.values().filter(|looks| !looks.is_empty()).count()
    }

    fn experiments(
        &self,
        tests: &[TestId],
        rounds: u32,
        files: Option<FileScope>,
    ) -> Vec<Experiment> {
        let plan = Plan { rounds, files, ..self.plan() };
        plan.experiments(self.watch, tests, "pollution", self.next_id)
    }

    /// Each test once, or twice in a row where two runs are compared.
    fn plan(&self) -> Plan {
        let across_runs = self.capture.is_some_and(CapturePoints::is_across_runs);
        Plan {
            repeat: if across_runs { 2 } else { 1 },
            limits: self.limits,
            observe: Observe::Each,
            include_roots: self.include_roots.clone(),
            capture: self.capture,
            eager: self.eager.clone(),
            ..Plan::default()
        }
    }

    /// The experiments of the round, all of which may run at the same time.
    fn of_round(&mut self) -> Vec<Experiment> {
        match self.round {
            Round::Look => {
                let tests: Vec<TestId> = self.unclear.iter().cloned().collect();
                self.experiments(&tests, 1, self.scope.clone())
            }
            Round::Confirm => self.experiments(&self.suspects(), CONFIRMATIONS, None),
            Round::Files => match &self.scope {
                Some(scope) => {
                    let suspects = self.files.suspects(&self.rules);
                    self.experiments(&suspects, CONFIRMATIONS, Some(scope.clone()))
                }
                None => Vec::new(),
            },
            Round::Backwards => self.backwards(),
            Round::Done => Vec::new(),
        }
    }

    fn next_round(&self) -> Round {
        match self.round {
            Round::Look => Round::Confirm,
            Round::Confirm => Round::Files,
            Round::Files => Round::Backwards,
            Round::Backwards | Round::Done => Round::Done,
        }
    }

    /// The whole suite in the opposite order, with a look at the tests of which something is left to report.
    fn backwards(&self) -> Vec<Experiment> {
        let polluted = self.polluted();
        let reported = polluted.iter().filter(|((_, group), _)| *group == Group::Reported);
        let by_classes = self.polluted_by_classes();
        let suspects: BTreeSet<&TestId> = reported
            .map(|(_, root)| root)
            .chain(by_classes.values())
            .flat_map(|root| root.tests.keys().copied())
            .collect();
        // What was asked for is told, whoever else does it.
        if suspects.is_empty() || !self.roots.is_empty() {
            return Vec::new();
        }
        let plan = Plan {
            order: Order::Reverse,
            observe_only: suspects.into_iter().cloned().collect(),
            ..self.plan()
        };
        let passed = self.watch.runs().filter(|run| run.result.passed());
        let tests: BTreeSet<TestId> = passed.map(|run| run.test.clone()).collect();
        let tests: Vec<TestId> = tests.into_iter().collect();
        plan.experiments(self.watch, &tests, BACKWARDS, self.next_id)
    }

    /// What a test changed when it came after those that it usually comes before.
    fn look_backwards(&mut self, outcomes: Vec<Outcome>) {
        let mut runs = Vec::new();
        for outcome in outcomes {
            self.look_at_classes_backwards(outcome.class_changes);
            runs.extend(outcome.runs);
        }
        for run in runs {
            if run.result.is_bad() {
                self.failed_backwards.insert(run.test.clone());
            }
            let Some(RunChange { change, .. }) = run.change else { continue };
            // Only if all is known can something be missing.
            if run.result.passed() && change.is_clear() {
                let differences = change.differences.iter();
                let counts = |one: &&Difference| self.rules.suppresses(one).is_none();
                let parts = differences.filter(counts).map(|one| part(one).to_owned());
                self.backwards.entry(run.test).or_default().extend(parts);
            }
        }
    }

    /// Of one experiment.
    fn read_runs(&mut self, runs: Vec<RunOutcome>) {
        let mut vms: BTreeMap<u32, Leavings> = BTreeMap::new();
        for run in runs {
            if !run.result.passed() {
                self.ended_otherwise.insert(run.test.clone());
            }
            let leavings = vms.entry(run.vm).or_default();
            let Some(mut change) = run.change.map(|change| change.change) else {
                leavings.unknown();
                continue;
            };
            let of_files = change.take_files();
            if self.round != Round::Confirm && self.scope.is_some() {
                self.files.again(run.test.clone(), of_files, &run.result);
            }
            if self.round != Round::Files {
                let first = leavings.test(&mut change, &mut self.resets);
                self.look(&run.test, change, first);
            }
        }
    }

    /// Where a test undoes what it did.
    fn tear_down(&self, test: &TestId) -> &'static str {
        self.framework(test).tear_down()
    }

    fn framework(&self, test: &TestId) -> Framework {
        let test = self.watch.tests.get(test);
        test.map_or(Framework::JunitPlatform, Test::style)
    }

    /// No rule suppresses it, or it was asked for.
    fn counts(&self, difference: &Difference) -> bool {
        match self.roots.is_empty() {
            true => self.rules.suppresses(difference).is_none(),
            false => self.roots.contains(&difference.root),
        }
    }

    fn is_worth_a_look(&self, difference: &Difference) -> bool {
        self.counts(difference)
            && (!self.roots.is_empty() || Relevance::of(difference).is_reported())
    }

    /// Tests that changed anything that counts.
    fn suspects(&self) -> Vec<TestId> {
        let suspects: BTreeSet<&TestId> = self
            .all()
            .filter(|(_, difference)| self.counts(difference))
            .map(|(test, _)| test)
            .chain(self.class_suspects())
            .collect();
        suspects.into_iter().cloned().collect()
    }
}

impl Strategy for Pollution<'_> {
    fn name(&self) -> &'static str {
        match self.round {
            Round::Look => "pollution",
            Round::Confirm => "confirm",
            Round::Files => "files",
            Round::Backwards | Round::Done => BACKWARDS,
        }
    }

    fn propose(&mut self) -> Vec<Experiment> {
        while self.queue.is_empty() && self.round != Round::Done {
            let experiments = self.of_round();
            self.next_id += experiments.len() as u64;
            let one_by_one = experiments.first().is_some_and(|one| one.settings.files.is_some());
            match experiments.is_empty() {
                true => self.round = self.next_round(),
                false if one_by_one => self.queue.extend(experiments),
                false => return experiments,
            }
        }
        self.queue.pop_front().into_iter().collect()
    }

    fn observe(&mut self, outcomes: Vec<Outcome>) {
        if self.round == Round::Backwards {
            self.look_backwards(outcomes);
        } else {
            for outcome in outcomes {
                if self.round != Round::Files {
                    self.look_at_classes(outcome.class_changes);
                }
                self.read_runs(outcome.runs);
            }
        }
        if self.queue.is_empty() {
            self.round = self.next_round();
        }
    }

    fn findings(&self) -> Vec<Finding> {
        let polluted = self.polluted();
        let reported = polluted.iter().filter(|((_, group), _)| *group == Group::Reported);
        let reported = reported.map(|((name, _), root)| (*name, root));
        let tear_down = |test: &TestId| self.tear_down(test);
        let of_files = self.files.findings(&self.rules, tear_down);
        let of_heap = alike::alike(reported, &self.watch.tests).into_iter().filter_map(|roots| {
            let ((name, root), others) = roots.split_first()?;
            let first = root.tests.keys().next();
            let framework = first.map_or(Framework::JunitPlatform, |test| self.framework(test));
            Some(alike::with_others(finding(name, root, framework), others))
        });
        let findings = of_heap.chain(self.class_findings()).chain(of_files);
        match self.capture {
            Some(points) => findings.map(|finding| between(finding, points)).collect(),
            None => findings.collect(),
        }
    }
}

#[cfg(test)]
mod tests;
