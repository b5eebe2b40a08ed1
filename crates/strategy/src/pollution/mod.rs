//! Tests that leave the state that tests share changed (PolDet).
//!
//! The watched run, or a first look in workers, shows which tests change what. Those tests run again in fresh VMs, and what
//! shows again is a finding: one for each root, whatever the number of tests that change it. What tests do to files is another
//! story: see [`files`].

mod files;
mod relevance;
mod rules;
#[cfg(test)]
pub(crate) mod samples;

use std::collections::{BTreeMap, BTreeSet, VecDeque};

use surefoot_model::{
    Access, Confidence, Difference, DifferenceKind, Evidence, Experiment, FileScope, Finding,
    FindingKind, Framework, Observe, Outcome, RunChange, StateChange, Suppressed, TestId, Watch,
};

use crate::plan::{Limits, Order, Plan};
use crate::shell::quoted;
use crate::strategy::Strategy;
use files::FileLooks;
pub(crate) use relevance::Relevance;
pub use rules::{Rules, RulesError};

/// How often the tests that changed something run again, each time in fresh VMs.
const CONFIRMATIONS: u32 = 2;

const BACKWARDS: &str = "backwards";

/// Most places below one root that a finding names.
const MOST_PLACES: usize = 5;

/// What is looked at.
#[derive(Debug, Clone, Default)]
pub struct Scope {
    /// Which of the watched tests.
    pub tests: Vec<TestId>,
    pub files: Option<FileScope>,
    /// Regular expressions for the classes whose static fields; none for those of the project.
    pub include_roots: Vec<String>,
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
    /// Who changed each path when the suite ran backwards.
    backwards: BTreeMap<String, Vec<Setter>>,
    /// Tests that nobody looked at alone, though something may have changed.
    unclear: BTreeSet<TestId>,
    /// What each look at each test showed, the watched run's first.
    looks: BTreeMap<TestId, Vec<StateChange>>,
    /// Which files are looked at; none if no files are.
    scope: Option<FileScope>,
    include_roots: Vec<String>,
    files: FileLooks,
    /// Experiments that must not run at the same time as others.
    queue: VecDeque<Experiment>,
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

/// A test that set something when the suite ran backwards, and to what.
#[derive(Debug)]
struct Setter {
    test: TestId,
    after: Option<String>,
}

/// What becomes of a difference that no rule suppresses.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Group {
    Reported,
    Lazy,
    Counter,
    Deep,
}

/// One root that tests change.
#[derive(Debug)]
struct Polluted<'a> {
    access: Access,
    /// With one difference below the root for each, the shortest path.
    tests: BTreeMap<&'a TestId, &'a Difference>,
    /// By path.
    places: BTreeMap<&'a str, &'a Difference>,
    seen: u32,
    of: u32,
}

impl<'a> Pollution<'a> {
    pub fn new(watch: &'a Watch, scope: Scope, rules: Rules, limits: Limits) -> Self {
        let Scope { tests, files: scope, include_roots, anew } = scope;
        let wanted: BTreeSet<&TestId> = tests.iter().collect();
        let mut looks: BTreeMap<TestId, Vec<StateChange>> = BTreeMap::new();
        let mut unclear: BTreeSet<TestId> = BTreeSet::new();
        let mut files = FileLooks::default();
        let looked_at = |test: &TestId| {
            let framework = watch.tests.get(test).map(|test| test.framework);
            !matches!(framework, None | Some(Framework::TestNg | Framework::Pytest))
        };
        let runs = watch.runs().filter(|run| wanted.contains(&run.test) && looked_at(&run.test));
        for run in runs.filter(|run| !run.overlapped && run.result.passed()) {
            let reported = |difference: &Difference| {
                rules.suppresses(difference).is_none() && Relevance::of(difference).is_reported()
            };
            let alone = run.change.is_some() && !anew;
            let mut change = run.change.clone().or_else(|| run.change_together.clone());
            let mut of_files = change.as_mut().map(StateChange::take_files).unwrap_or_default();
            if scope.is_none() {
                of_files.clear();
            }
            let is_clear = alone || !FileLooks::is_worth_a_look(&of_files, &rules);
            files.first(&run.test, of_files, alone);
            match change {
                _ if anew => {
                    unclear.insert(run.test.clone());
                }
                Some(change) if alone => {
                    looks.entry(run.test.clone()).or_default().push(change);
                }
                Some(together) if is_clear && !together.differences.iter().any(reported) => {
                    looks.entry(run.test.clone()).or_default().push(StateChange::default());
                }
                _ => {
                    unclear.insert(run.test.clone());
                }
            }
        }
        let round = if unclear.is_empty() { Round::Confirm } else { Round::Look };
        Pollution {
            watch,
            rules,
            limits,
            round,
            next_id: 1,
            backwards: BTreeMap::new(),
            unclear,
            looks,
            scope,
            include_roots,
            files,
            queue: VecDeque::new(),
        }
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

    /// How many tests were looked at.
    pub fn looked_at(&self) -> usize {
        self.looks.values().filter(|looks| !looks.is_empty()).count()
    }

    /// How many tests of a framework are not looked at: TestNG does not tell where their set-up and tear-down begin and end,
    /// and no state is captured in Python yet.
    pub fn left_out(&self, framework: Framework) -> usize {
        let left_out = matches!(framework, Framework::TestNg | Framework::Pytest);
        let tests = self.watch.tests.values().filter(|test| test.framework == framework);
        if left_out { tests.count() } else { 0 }
    }

    /// What is not reported, and why.
    pub fn suppressed(&self) -> Vec<Suppressed> {
        let mut suppressed: BTreeMap<&str, Suppressed> = BTreeMap::new();
        let by_rules = self.all().filter_map(|(test, difference)| {
            let (rule, reason) = self.rules.suppresses(difference)?;
            Some((rule, reason, difference.root.as_str(), test))
        });
        let polluted = self.polluted();
        let by_relevance = polluted.iter().filter_map(|((root, group), polluted)| {
            let (rule, reason) = match group {
                Group::Reported => return None,
                Group::Lazy => ("lazy", "set when first asked for"),
                Group::Counter => ("counter", "counts what happened"),
                Group::Deep => ("deep", "far from any static field"),
            };
            Some(polluted.tests.keys().map(move |test| (rule, reason, *root, *test)))
        });
        let of_files = self.files.suppressed(&self.rules);
        for (rule, reason, root, test) in by_rules.chain(by_relevance.flatten()).chain(of_files) {
            let entry = suppressed.entry(rule).or_insert_with(|| Suppressed {
                rule: rule.to_owned(),
                reason: reason.to_owned(),
                roots: BTreeMap::new(),
            });
            entry.roots.entry(root.to_owned()).or_default().insert(test.clone());
        }
        suppressed.into_values().collect()
    }

    fn all(&self) -> impl Iterator<Item = (&TestId, &Difference)> {
        self.looks.iter().flat_map(|(test, looks)| {
            looks
                .iter()
                .flat_map(|look| &look.differences)
                .map(move |difference| (test, difference))
        })
    }

    /// What no rule suppresses, by root; what is worth a report apart from what is not.
    fn polluted(&self) -> BTreeMap<(&str, Group), Polluted<'_>> {
        let mut polluted: BTreeMap<(&str, Group), Polluted<'_>> = BTreeMap::new();
        let on_demand = self.on_demand();
        for (test, difference) in self.all() {
            if self.rules.suppresses(difference).is_some() {
                continue;
            }
            let group = match Relevance::of(difference) {
                _ if on_demand.contains(difference.root.as_str()) => Group::Lazy,
                Relevance::Exposed | Relevance::Enclosed => Group::Reported,
                Relevance::Lazy => Group::Lazy,
                Relevance::Counter => Group::Counter,
                Relevance::Deep => Group::Deep,
            };
            let root = polluted.entry((&difference.root, group)).or_insert_with(|| Polluted {
                access: difference.access,
                tests: BTreeMap::new(),
                places: BTreeMap::new(),
                seen: 0,
                of: 0,
            });
            root.tests.entry(test).or_insert(difference);
            root.places.entry(&difference.path).or_insert(difference);
        }
        for ((name, _), root) in &mut polluted {
            // A test that showed it once and never again is not what this root is about.
            root.tests.retain(|test, _| {
                let looks = &self.looks[*test];
                looks.iter().filter(|look| changes(look, name)).count() >= 2
            });
            for looks in root.tests.keys().map(|test| &self.looks[*test]) {
                root.of += looks.len() as u32;
                root.seen += looks.iter().filter(|look| changes(look, name)).count() as u32;
            }
        }
        polluted.retain(|_, root| !root.tests.is_empty());
        polluted
    }

    fn experiments(
        &self,
        tests: &[TestId],
        rounds: u32,
        files: Option<FileScope>,
    ) -> Vec<Experiment> {
        let observe = Observe::Each;
        let include_roots = self.include_roots.clone();
        let plan =
            Plan { limits: self.limits, rounds, observe, files, include_roots, ..Plan::default() };
        plan.experiments(self.watch, tests, "pollution", self.next_id)
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

    /// The whole suite in the opposite order, if anything is left that more than one test may set.
    fn backwards(&self) -> Vec<Experiment> {
        if self.polluted().keys().all(|(_, group)| *group != Group::Reported) {
            return Vec::new();
        }
        let (order, observe) = (Order::Reverse, Observe::Together);
        let include_roots = self.include_roots.clone();
        let plan = Plan { limits: self.limits, order, observe, include_roots, ..Plan::default() };
        let passed = self.watch.runs().filter(|run| run.result.passed());
        let tests: BTreeSet<TestId> = passed.map(|run| run.test.clone()).collect();
        let tests: Vec<TestId> = tests.into_iter().collect();
        plan.experiments(self.watch, &tests, BACKWARDS, self.next_id)
    }

    /// Who changed what when the suite ran backwards: paths that others set there than in the order of the suite are set by
    /// whoever comes first.
    fn look_backwards(&mut self, outcomes: &[Outcome]) {
        for outcome in outcomes {
            for (at, run) in outcome.runs.iter().enumerate() {
                let Some(RunChange { runs, change }) = &run.change else { continue };
                let first = (at + 1).saturating_sub(*runs as usize);
                let tests: BTreeSet<&TestId> =
                    outcome.runs[first..=at].iter().map(|run| &run.test).collect();
                for difference in &change.differences {
                    let setters = self.backwards.entry(difference.path.clone()).or_default();
                    setters.extend(tests.iter().map(|test| Setter {
                        test: (*test).clone(),
                        after: difference.after.clone(),
                    }));
                }
            }
        }
    }

    /// Set by this test in the order of the suite, and to the same by others only when the suite ran backwards. What
    /// somebody does to a setting of the process is done on purpose.
    fn is_set_by_the_first(&self, test: &TestId, difference: &Difference) -> bool {
        let setters = self.backwards.get(&difference.path);
        let is_setting = difference.access == Access::Process && difference.root != "live threads";
        !is_setting
            && setters.is_some_and(|setters| {
                setters.iter().any(|setter| setter.after == difference.after)
                    && setters.iter().all(|setter| setter.test != *test)
            })
    }

    /// Roots below which something is set by whoever comes first: all of them is filled on demand.
    fn on_demand(&self) -> BTreeSet<&str> {
        let set = self.all().filter(|(test, one)| self.is_set_by_the_first(test, one));
        set.map(|(_, difference)| difference.root.as_str()).collect()
    }

    /// Where a test of this framework undoes what it did.
    fn tear_down(&self, test: &TestId) -> &'static str {
        let framework = self.watch.tests.get(test).map(|test| test.framework);
        framework.unwrap_or(Framework::JunitPlatform).tear_down()
    }

    /// Tests that changed anything that no rule suppresses.
    fn suspects(&self) -> Vec<TestId> {
        let suspects: BTreeSet<&TestId> = self
            .all()
            .filter(|(_, difference)| self.rules.suppresses(difference).is_none())
            .map(|(test, _)| test)
            .collect();
        suspects.into_iter().cloned().collect()
    }
}

fn changes(look: &StateChange, root: &str) -> bool {
    look.differences.iter().any(|difference| difference.root == root)
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
            self.look_backwards(&outcomes);
        } else {
            for run in outcomes.into_iter().flat_map(|outcome| outcome.runs) {
                let Some(mut change) = run.change.map(|change| change.change) else { continue };
                let of_files = change.take_files();
                if self.round != Round::Confirm && self.scope.is_some() {
                    self.files.again(run.test.clone(), of_files, &run.result);
                }
                if self.round != Round::Files {
                    self.looks.entry(run.test).or_default().push(change);
                }
            }
        }
        if self.queue.is_empty() {
            self.round = self.next_round();
        }
    }

    fn findings(&self) -> Vec<Finding> {
        let polluted = self.polluted();
        let reported = polluted.iter().filter(|((_, group), _)| *group == Group::Reported);
        let tear_down = |test: &TestId| self.tear_down(test);
        let of_files = self.files.findings(&self.rules, tear_down);
        let of_heap = reported.map(|((name, _), root)| {
            let first = root.tests.keys().next().map_or("", |test| self.tear_down(test));
            finding(name, root, first)
        });
        of_heap.chain(of_files).collect()
    }
}

fn finding(name: &str, root: &Polluted<'_>, tear_down: &str) -> Finding {
    let mut places: Vec<&Difference> = root.places.values().copied().collect();
    places.sort_by_key(|place| (Relevance::of(place), place.steps, &place.path));
    let mut evidence: Vec<Evidence> = places
        .iter()
        .take(MOST_PLACES)
        .map(|place| Evidence { label: "path".to_owned(), text: words(place) })
        .collect();
    if let Some(text) = visible(root.access) {
        evidence.insert(1, Evidence { label: "visible".to_owned(), text: text.to_owned() });
    }
    if places.len() > MOST_PLACES {
        let text = format!("and {} more places below {name}", places.len() - MOST_PLACES);
        evidence.push(Evidence { label: "more".to_owned(), text });
    }
    // The test that is named first is one that does what is shown first.
    let shows_first =
        |test: &&&TestId| places.first().is_some_and(|place| root.tests[**test].path == place.path);
    let first = root.tests.keys().find(shows_first).copied();
    let others = root.tests.keys().copied().filter(|test| Some(*test) != first);
    let tests: Vec<TestId> = first.into_iter().chain(others).cloned().collect();
    Finding {
        kind: FindingKind::Pollution,
        verdict: format!("leaves {name} changed"),
        confidence: Confidence { seen: root.seen, of: root.of },
        evidence,
        reproduce: format!("surefoot pollution {}", quoted(tests[0].as_str())),
        fix: fix(name, root.access, places.first().map(|place| place.kind), tear_down),
        cause: name.to_owned(),
        choosing: None,
        tests,
    }
}

/// How another test could see a field that its class does not keep for itself.
fn visible(access: Access) -> Option<&'static str> {
    match access {
        Access::Public => Some("any code can read the field: it is public"),
        Access::Protected => Some("subclasses and classes of its package can read the field"),
        Access::Package => Some("classes of its package can read the field"),
        Access::Private | Access::Process | Access::File => None,
    }
}

/// `com.acme.Shop.open: true → false`
pub(crate) fn words(difference: &Difference) -> String {
    let side = |text: &Option<String>| text.clone().unwrap_or_else(|| "nothing".to_owned());
    let (before, after) = (side(&difference.before), side(&difference.after));
    let path = &difference.path;
    match difference.kind {
        DifferenceKind::Value | DifferenceKind::Content => format!("{path}: {before} → {after}"),
        DifferenceKind::Added => format!("{path} was added: {after}"),
        DifferenceKind::Removed => format!("{path} was removed: {before}"),
        DifferenceKind::Order => format!("{path}: another order"),
        DifferenceKind::Sharing => {
            format!("{path} is another object than before: {before} → {after}")
        }
        DifferenceKind::Rewritten => format!("{path} was written again: {after}"),
    }
}

/// What to do about a root that is left changed.
pub(crate) fn fix(
    root: &str,
    access: Access,
    kind: Option<DifferenceKind>,
    tear_down: &str,
) -> String {
    if access == Access::Process {
        let undo = match root {
            "System.getProperties()" => {
                "remember the property, and set or clear it again with System.setProperty or System.clearProperty"
            }
            "System.out" | "System.err" | "System.in" => "set the stream back to what it was",
            "live threads" => "end the thread, or shut its executor down, and wait for it",
            "listening sockets" => "close the server",
            "Security.getProviders()" => "take the provider out with Security.removeProvider",
            "shutdown hooks" => "remove the hook with Runtime.removeShutdownHook",
            _ => "set it back to what it was",
        };
        return format!("{undo}, in {tear_down}");
    }
    match kind {
        Some(DifferenceKind::Added) => {
            format!(
                "take out in {tear_down} what the test put in, or give each test an instance of its own"
            )
        }
        Some(DifferenceKind::Removed) => {
            format!(
                "put back in {tear_down} what the test took out, or give each test an instance of its own"
            )
        }
        _ => format!("set {root} back in {tear_down}, or make it no static field"),
    }
}

#[cfg(test)]
mod tests {
    use super::samples::{difference, file};
    use super::*;
    use crate::samples::{outcome, watch};
    use surefoot_model::RunResult;

    fn all_of(watch: &Watch) -> Scope {
        Scope { tests: watch.tests.keys().cloned().collect(), ..Scope::default() }
    }

    fn change(differences: &[Difference]) -> StateChange {
        StateChange { differences: differences.to_vec(), ..StateChange::default() }
    }

    fn watched(changes: &[(&str, StateChange)]) -> Watch {
        let names: Vec<&str> = changes.iter().map(|(name, _)| *name).collect();
        let mut watch = watch(&[&names]);
        for (run, (_, change)) in watch.vms[0].runs.iter_mut().zip(changes) {
            run.change = Some(change.clone());
        }
        watch
    }

    /// Plays it to the end; `again` is what a test changes when it runs again.
    fn play(
        watch: &Watch,
        again: impl Fn(&str) -> StateChange,
    ) -> (Vec<Finding>, Vec<Suppressed>, usize) {
        let rules = Rules::new(&[], &[]).unwrap();
        let scope = all_of(watch);
        let mut pollution = Pollution::new(watch, scope, rules, Limits::default());
        let mut runs = 0;
        loop {
            let experiments = pollution.propose();
            if experiments.is_empty() {
                return (pollution.findings(), pollution.suppressed(), runs);
            }
            let outcomes = experiments.iter().map(|experiment| {
                let names =
                    experiment.runs.iter().map(|run| (run.test.as_str(), RunResult::Passed));
                let mut outcome = outcome(experiment.id, &names.collect::<Vec<_>>());
                for run in &mut outcome.runs {
                    runs += usize::from(experiment.purpose != BACKWARDS);
                    run.change = Some(RunChange { runs: 1, change: again(run.test.as_str()) });
                }
                outcome
            });
            let outcomes = outcomes.collect();
            pollution.observe(outcomes);
        }
    }

    #[test]
    fn what_shows_again_is_one_finding_for_all_tests_that_do_it() {
        let open = || change(&[difference("com.acme.Shop.open", "true", "false")]);
        let watch = watched(&[("A#1", open()), ("A#2", change(&[])), ("B#1", open())]);
        let (findings, _, runs) = play(&watch, |_| open());
        assert_eq!(runs, 4, "A#2 changed nothing and is not run again");
        let [finding] = &findings[..] else { panic!("{findings:?}") };
        assert_eq!(finding.tests, [TestId::from("A#1"), TestId::from("B#1")]);
        assert_eq!(finding.confidence, Confidence { seen: 6, of: 6 });
        assert_eq!(finding.evidence[0].text, "com.acme.Shop.open: true → false");
    }

    #[test]
    fn what_never_shows_again_is_no_finding() {
        let watch =
            watched(&[("A#1", change(&[difference("com.acme.Shop.open", "true", "false")]))]);
        assert_eq!(play(&watch, |_| change(&[])).0, []);
    }

    #[test]
    fn what_is_not_reported_is_counted() {
        let both = || {
            change(&[
                difference("com.acme.Shop.priceCache[1]", "x", "y"),
                difference("com.acme.Shop.nextId", "1", "2"),
            ])
        };
        let (findings, suppressed, _) = play(&watched(&[("A#1", both())]), |_| both());
        assert_eq!(findings, []);
        let names: Vec<&str> =
            suppressed.iter().map(|suppressed| suppressed.rule.as_str()).collect();
        assert_eq!(names, ["cache", "counter"]);
    }

    #[test]
    fn what_others_set_when_they_come_first_is_not_reported() {
        let entry = || {
            let mut difference = difference("com.acme.Shop.formats[1]", "", "Format");
            (difference.kind, difference.before) = (DifferenceKind::Added, None);
            change(&[difference])
        };
        let watch = watched(&[("A#1", entry()), ("B#1", change(&[]))]);
        let rules = Rules::new(&[], &[]).unwrap();
        let scope = all_of(&watch);
        let mut pollution = Pollution::new(&watch, scope, rules, Limits::default());
        let mut names = Vec::new();
        loop {
            let experiments = pollution.propose();
            if experiments.is_empty() {
                break;
            }
            names.push(pollution.name());
            let outcomes = experiments.iter().map(|experiment| {
                let runs = experiment.runs.iter().map(|run| (run.test.as_str(), RunResult::Passed));
                let mut outcome = outcome(experiment.id, &runs.collect::<Vec<_>>());
                // Whoever comes first sets it.
                let first = outcome.runs.first_mut().expect("an experiment has runs");
                first.change = Some(RunChange { runs: 1, change: entry() });
                outcome
            });
            let outcomes = outcomes.collect();
            pollution.observe(outcomes);
        }
        assert_eq!(names, ["confirm", "backwards"]);
        assert_eq!(pollution.findings(), []);
        assert_eq!(pollution.suppressed()[0].rule, "lazy");
    }

    #[test]
    fn tests_that_were_looked_at_together_are_looked_at_alone_if_one_changed_something() {
        let open = || change(&[difference("com.acme.Shop.open", "true", "false")]);
        let mut watch = watch(&[&["A#1", "A#2", "B#1", "B#2"]]);
        for (run, together) in
            watch.vms[0].runs.iter_mut().zip([open(), open(), change(&[]), change(&[])])
        {
            run.change_together = Some(together);
        }
        let (findings, _, runs) =
            play(&watch, |test| if test == "A#2" { open() } else { change(&[]) });
        assert_eq!(findings.len(), 1);
        assert_eq!(findings[0].tests, [TestId::from("A#2")]);
        assert_eq!(runs, 4, "A#1 and A#2 alone, then A#2 twice to confirm it");
    }

    #[test]
    fn without_a_look_at_the_watched_run_workers_have_the_first() {
        let watch = watch(&[&["A#1"]]);
        let (findings, _, runs) =
            play(&watch, |_| change(&[difference("com.acme.Shop.open", "true", "false")]));
        assert_eq!((findings.len(), runs), (1, 3));
    }

    #[test]
    fn tests_that_change_files_run_again_one_vm_after_the_other() {
        let left = || change(&[file("left.txt", DifferenceKind::Added)]);
        let mut watch = watch(&[&["A#1", "A#2"], &["B#1"]]);
        for run in watch.vms.iter_mut().flat_map(|vm| &mut vm.runs) {
            let changes = run.test.as_str() != "A#2";
            run.change = Some(if changes { left() } else { change(&[]) });
        }
        let rules = Rules::new(&[], &[]).unwrap();
        let scope = Scope { files: Some(FileScope::default()), ..all_of(&watch) };
        let mut pollution = Pollution::new(&watch, scope, rules, Limits::default());
        let mut rounds = Vec::new();
        loop {
            let experiments = pollution.propose();
            if experiments.is_empty() {
                break;
            }
            let [experiment] = &experiments[..] else { panic!("{experiments:?}") };
            assert!(experiment.settings.files.is_some());
            let tests = experiment.runs.iter().map(|run| (run.test.as_str(), RunResult::Passed));
            let tests: Vec<_> = tests.collect();
            rounds.push(tests.iter().map(|(test, _)| *test).collect::<Vec<_>>().join(" "));
            let mut outcome = outcome(experiment.id, &tests);
            for run in &mut outcome.runs {
                let change = change(&[file("left.txt", DifferenceKind::Rewritten)]);
                run.change = Some(RunChange { runs: 1, change });
            }
            pollution.observe(vec![outcome]);
        }
        assert_eq!(rounds, ["A#1", "B#1", "A#1", "B#1"]);
        let findings = pollution.findings();
        let [finding] = &findings[..] else { panic!("{findings:?}") };
        assert_eq!(finding.tests, [TestId::from("A#1"), TestId::from("B#1")]);
        assert_eq!(finding.confidence, Confidence { seen: 6, of: 6 });
    }

    #[test]
    fn who_wrote_a_file_among_several_tests_is_found_out() {
        let mut watch = watch(&[&["A#1", "A#2"]]);
        for run in &mut watch.vms[0].runs {
            run.change_together = Some(change(&[file("left.txt", DifferenceKind::Added)]));
        }
        let rules = Rules::new(&[], &[]).unwrap();
        let scope = Scope { files: Some(FileScope::default()), ..all_of(&watch) };
        let mut pollution = Pollution::new(&watch, scope, rules, Limits::default());
        let mut runs = 0;
        loop {
            let experiments = pollution.propose();
            let Some(experiment) = experiments.first() else { break };
            let tests = experiment.runs.iter().map(|run| (run.test.as_str(), RunResult::Passed));
            let mut outcome = outcome(experiment.id, &tests.collect::<Vec<_>>());
            for run in &mut outcome.runs {
                runs += 1;
                let writes = run.test.as_str() == "A#2";
                let written = writes.then(|| file("left.txt", DifferenceKind::Rewritten));
                let change = change(written.as_slice());
                run.change = Some(RunChange { runs: 1, change });
            }
            pollution.observe(vec![outcome]);
        }
        assert_eq!(runs, 4, "both once, and A#2 twice more");
        let findings = pollution.findings();
        assert_eq!(findings.len(), 1);
        assert_eq!(findings[0].tests, [TestId::from("A#2")]);
        assert_eq!(pollution.suppressed(), [], "A#1 is not even suspected");
    }
}
