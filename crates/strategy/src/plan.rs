//! From tests to experiments: in which VMs, in which order, how often.

use std::collections::{BTreeMap, BTreeSet};

use surefoot_model::{
    CapturePoints, Choosing, ClassSetup, Experiment, FileScope, LaunchId, Observe, Run, Settings,
    Start, TestId, Watch, Workspace,
};
use xxhash_rust::xxh3::xxh3_64_with_seed;

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Plan {
    /// How often each test runs, one run right after the other.
    pub repeat: u32,
    /// How often all of it is done, each time in fresh VMs.
    pub rounds: u32,
    pub fresh_vm: FreshVm,
    pub order: Order,
    pub class_setup: ClassSetup,
    pub observe: Observe,
    /// Around the runs of these tests alone; none for all of them.
    pub observe_only: Vec<TestId>,
    /// Which files are looked at with the rest of the state.
    pub files: Option<FileScope>,
    pub choose: Option<Choosing>,
    /// Whose static fields are; none for those of the project.
    pub include_roots: Vec<String>,
    /// At which points of a test the state is compared; none for around all of it.
    pub capture: Option<CapturePoints>,
    /// Where states are written to.
    pub dump: Option<String>,
    /// The file that names the classes to be initialised before the first test.
    pub eager: Option<String>,
    pub workspace: Workspace,
    pub start: Start,
    pub limits: Limits,
}

/// What gets a VM of its own.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum FreshVm {
    /// What had one in the watched run.
    #[default]
    AsWatched,
    Test,
    Class,
    /// A class, or a suite of classes: to make one may take longer than all of its tests.
    Maker,
    /// All tests with the same launch share one.
    Suite,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Order {
    #[default]
    AsSeen,
    Reverse,
    /// Classes shuffled, and tests within each class.
    Random(u64),
    /// As the user named the tests.
    Given,
}

/// What looking at the state before and after a test may take on top of its own limit. Too short a time would blame the test
/// for a large heap.
const LOOK_ALLOWANCE_MS: u64 = 120_000;

/// When a test counts as hung: a multiple of its watched time, but never less than the floor.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Limits {
    pub factor: u32,
    pub floor_ms: u64,
}

impl Default for Limits {
    /// Generous: a machine under load is slow, and to call a slow test hung is a false report.
    fn default() -> Self {
        Limits { factor: 20, floor_ms: 30_000 }
    }
}

impl Limits {
    fn limit_ms(self, watched_us: u64) -> u64 {
        self.floor_ms.max(watched_us.saturating_mul(u64::from(self.factor)) / 1000)
    }
}

impl Default for Plan {
    fn default() -> Self {
        Plan {
            repeat: 1,
            rounds: 1,
            fresh_vm: FreshVm::default(),
            order: Order::default(),
            class_setup: ClassSetup::default(),
            observe: Observe::default(),
            observe_only: Vec::new(),
            files: None,
            choose: None,
            include_roots: Vec::new(),
            capture: None,
            dump: None,
            eager: None,
            workspace: Workspace::InPlace,
            start: Start::Plain,
            limits: Limits::default(),
        }
    }
}

/// A test as it ran in a watched VM.
#[derive(Debug, Clone)]
struct Seen<'a> {
    test: &'a TestId,
    launch: &'a LaunchId,
    vm: usize,
}

impl Plan {
    /// `tests` in the order in which the user named them.
    pub fn experiments(
        &self,
        watch: &Watch,
        tests: &[TestId],
        purpose: &str,
        first_id: u64,
    ) -> Vec<Experiment> {
        let mut seen = self.seen(watch, tests);
        self.sort(watch, tests, &mut seen);
        let mut groups: Vec<Vec<Seen<'_>>> = Vec::new();
        let mut group_of: BTreeMap<String, usize> = BTreeMap::new();
        for (position, seen) in seen.into_iter().enumerate() {
            let group =
                *group_of.entry(self.vm_key(watch, &seen, position)).or_insert(groups.len());
            if group == groups.len() {
                groups.push(Vec::new());
            }
            groups[group].push(seen);
        }
        let durations = durations(watch);
        let experiment = |(id, group): (u64, Vec<Seen<'_>>)| Experiment {
            id,
            purpose: purpose.to_owned(),
            launch: group[0].launch.clone(),
            runs: group.iter().flat_map(|seen| self.runs(seen.test, &durations)).collect(),
            settings: Settings {
                class_setup: self.class_setup,
                observe: self.observe,
                observe_only: self.observe_only.clone(),
                files: self.files.clone(),
                choose: self.choose.clone(),
                include_roots: self.include_roots.clone(),
                capture: self.capture,
                dump: self.dump.clone(),
                eager: self.eager.clone(),
                workspace: self.workspace.clone(),
                start: self.start,
                ..Settings::default()
            },
        };
        let rounds = (0..self.rounds.max(1)).flat_map(|_| groups.iter().cloned());
        (first_id..).zip(rounds).map(experiment).collect()
    }

    fn runs(&self, test: &TestId, durations: &BTreeMap<&TestId, u64>) -> Vec<Run> {
        let mut limit_ms = self.limits.limit_ms(durations.get(test).copied().unwrap_or(0));
        if self.observe != Observe::Nothing {
            limit_ms = limit_ms.saturating_add(LOOK_ALLOWANCE_MS);
        }
        (0..self.repeat.max(1)).map(|_| Run { test: test.clone(), limit_ms }).collect()
    }

    /// As seen. A test that a VM ran several times while it ran its method (TestNG's `invocationCount`) is run as often again,
    /// unless the user says how often; a later rerun of it was the build tool's doing, not the suite's.
    fn seen<'a>(&self, watch: &'a Watch, tests: &[TestId]) -> Vec<Seen<'a>> {
        let wanted: BTreeSet<&TestId> = tests.iter().collect();
        let mut seen: Vec<Seen<'a>> = Vec::new();
        let mut known: BTreeSet<&TestId> = BTreeSet::new();
        for (index, vm) in watch.vms.iter().enumerate() {
            let runs: Vec<&TestId> = vm.runs.iter().map(|run| &run.test).collect();
            let same_method = |a: &&TestId, b: &&TestId| method(watch, a) == method(watch, b);
            for stretch in runs.chunk_by(same_method) {
                let new: BTreeSet<&TestId> =
                    stretch.iter().copied().filter(|test| !known.contains(test)).collect();
                for test in stretch.iter().copied().filter(|test| wanted.contains(test)) {
                    if known.insert(test) || (self.repeat == 1 && new.contains(test)) {
                        seen.push(Seen { test, launch: &vm.launch, vm: index });
                    }
                }
            }
        }
        seen
    }

    fn sort(&self, watch: &Watch, tests: &[TestId], seen: &mut [Seen<'_>]) {
        match self.order {
            Order::AsSeen => {}
            Order::Reverse => seen.reverse(),
            // Keyed: where a test comes relative to another does not depend on which others are run.
            Order::Random(seed) => seen.sort_by_cached_key(|seen| {
                let hash = |text: &str| xxh3_64_with_seed(text.as_bytes(), seed);
                (hash(class(watch, seen.test)), class(watch, seen.test), hash(seen.test.as_str()))
            }),
            Order::Given => {
                let position: BTreeMap<&TestId, usize> = tests
                    .iter()
                    .enumerate()
                    .rev()
                    .map(|(position, test)| (test, position))
                    .collect();
                seen.sort_by_key(|seen| position.get(seen.test).copied());
            }
        }
    }

    /// Tests with the same key share a VM.
    fn vm_key(&self, watch: &Watch, seen: &Seen<'_>, position: usize) -> String {
        let launch = seen.launch.0.as_str();
        match self.fresh_vm {
            FreshVm::AsWatched => seen.vm.to_string(),
            FreshVm::Test => format!("{launch} {} {position}", seen.test),
            FreshVm::Class => format!("{launch} {}", class(watch, seen.test)),
            FreshVm::Maker => {
                format!("{launch} {}", seen.test.suite().unwrap_or(class(watch, seen.test)))
            }
            FreshVm::Suite => launch.to_owned(),
        }
    }
}

/// Those with any of the tests in it, without what comes after the last one.
pub(crate) fn cut_after(experiments: &[Experiment], tests: &BTreeSet<TestId>) -> Vec<Experiment> {
    let cut = |experiment: &Experiment| {
        let last = experiment.runs.iter().rposition(|run| tests.contains(&run.test))?;
        let runs = experiment.runs[..=last].to_vec();
        Some(Experiment { runs, ..experiment.clone() })
    };
    experiments.iter().filter_map(cut).collect()
}

fn class<'a>(watch: &'a Watch, test: &TestId) -> &'a str {
    watch.tests.get(test).map_or("", |test| test.class.as_str())
}

/// A test that is no method stands for itself.
fn method<'a>(watch: &'a Watch, test: &'a TestId) -> (&'a str, &'a str) {
    let seen = watch.tests.get(test);
    let method = seen.and_then(|seen| seen.method.as_deref());
    (class(watch, test), method.unwrap_or(test.as_str()))
}

/// The longest that each test took.
fn durations(watch: &Watch) -> BTreeMap<&TestId, u64> {
    let mut durations = BTreeMap::new();
    for run in watch.runs() {
        let longest: &mut u64 = durations.entry(&run.test).or_default();
        *longest = (*longest).max(run.duration_us);
    }
    durations
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::samples::watch;
    use proptest::prelude::*;

    fn lists(plan: &Plan, watch: &Watch, tests: &[&str]) -> Vec<Vec<String>> {
        let tests: Vec<TestId> = tests.iter().copied().map(TestId::from).collect();
        plan.experiments(watch, &tests, "test", 1)
            .into_iter()
            .map(|experiment| experiment.runs.into_iter().map(|run| run.test.0).collect())
            .collect()
    }

    #[test]
    fn looking_at_the_state_may_take_its_time() {
        let watch = watch(&[&["A#1"]]);
        let limit = |observe| {
            let plan = Plan { observe, ..Plan::default() };
            plan.experiments(&watch, &["A#1".into()], "x", 1)[0].runs[0].limit_ms
        };
        assert_eq!(limit(Observe::Each), limit(Observe::Nothing) + LOOK_ALLOWANCE_MS);
    }

    #[test]
    fn by_default_tests_run_as_they_were_watched() {
        let watch = watch(&[&["A#1", "A#2", "B#1"], &["C#1"]]);
        let plan = Plan::default();
        assert_eq!(
            lists(&plan, &watch, &["C#1", "A#1", "B#1", "A#2"]),
            [vec!["A#1", "A#2", "B#1"], vec!["C#1"]]
        );
    }

    #[test]
    fn vms_are_divided_as_asked() {
        let watch = watch(&[&["A#1", "A#2", "B#1"], &["C#1"]]);
        let all = ["A#1", "A#2", "B#1", "C#1"];
        let with = |fresh_vm| lists(&Plan { fresh_vm, ..Plan::default() }, &watch, &all);
        assert_eq!(with(FreshVm::Test), [["A#1"], ["A#2"], ["B#1"], ["C#1"]]);
        assert_eq!(with(FreshVm::Class), [vec!["A#1", "A#2"], vec!["B#1"], vec!["C#1"]]);
        assert_eq!(with(FreshVm::Suite), [vec!["A#1", "A#2", "B#1", "C#1"]]);
    }

    #[test]
    fn tests_of_one_suite_share_a_vm_with_all_that_it_makes() {
        let all = ["S>A#1", "S>B#1", "C#1[x>y]", "C#2"];
        let watch = watch(&[&all]);
        let plan = Plan { fresh_vm: FreshVm::Maker, ..Plan::default() };
        assert_eq!(lists(&plan, &watch, &all), [["S>A#1", "S>B#1"], ["C#1[x>y]", "C#2"]]);
    }

    #[test]
    fn orders() {
        let watch = watch(&[&["A#1", "A#2", "B#1"]]);
        let with = |order| {
            lists(&Plan { order, ..Plan::default() }, &watch, &["B#1", "A#2", "A#1"]).concat()
        };
        assert_eq!(with(Order::Reverse), ["B#1", "A#2", "A#1"]);
        assert_eq!(with(Order::Given), ["B#1", "A#2", "A#1"]);
        assert_eq!(with(Order::AsSeen), ["A#1", "A#2", "B#1"]);
    }

    #[test]
    fn a_repeat_comes_right_after_the_first_run() {
        let watch = watch(&[&["A#1", "A#2"]]);
        let plan = Plan { repeat: 2, ..Plan::default() };
        assert_eq!(lists(&plan, &watch, &["A#1", "A#2"]), [["A#1", "A#1", "A#2", "A#2"]]);
    }

    #[test]
    fn rounds_are_the_same_experiments_again() {
        let watch = watch(&[&["A#1"], &["B#1"]]);
        let plan = Plan { rounds: 2, ..Plan::default() };
        assert_eq!(lists(&plan, &watch, &["A#1", "B#1"]), [["A#1"], ["B#1"], ["A#1"], ["B#1"]]);
        let ids = plan.experiments(&watch, &["A#1".into()], "test", 7).into_iter().map(|e| e.id);
        assert_eq!(ids.collect::<Vec<_>>(), [7, 8]);
    }

    #[test]
    fn runs_in_a_row_are_kept_and_reruns_of_the_build_tool_are_not() {
        let watch = watch(&[&["A#1", "A#1", "B#1", "A#1"]]);
        assert_eq!(lists(&Plan::default(), &watch, &["A#1", "B#1"]), [["A#1", "A#1", "B#1"]]);
    }

    #[test]
    fn rounds_of_a_methods_rows_are_kept_too() {
        let watch = watch(&[&["A#1[0]", "A#1[1]", "A#1[0]", "A#1[1]", "B#1", "A#1[1]"]]);
        let all = ["A#1[0]", "A#1[1]", "B#1"];
        assert_eq!(
            lists(&Plan::default(), &watch, &all),
            [["A#1[0]", "A#1[1]", "A#1[0]", "A#1[1]", "B#1"]]
        );
    }

    #[test]
    fn a_limit_follows_the_watched_time_above_a_floor() {
        let limits = Limits { factor: 20, floor_ms: 30_000 };
        assert_eq!(limits.limit_ms(1_000), 30_000);
        assert_eq!(limits.limit_ms(10_000_000), 200_000);
    }

    proptest! {
        #[test]
        fn a_random_order_keeps_classes_together_and_loses_nothing(seed: u64, sizes in proptest::collection::vec(1usize..5, 1..6)) {
            let names: Vec<String> = sizes.iter().enumerate()
                .flat_map(|(class, size)| (0..*size).map(move |test| format!("C{class}#{test}")))
                .collect();
            let names: Vec<&str> = names.iter().map(String::as_str).collect();
            let watch = watch(&[&names]);
            let plan = Plan { order: Order::Random(seed), ..Plan::default() };
            let order = lists(&plan, &watch, &names).concat();
            let mut sorted = order.clone();
            sorted.sort();
            let mut expected = names.clone();
            expected.sort_unstable();
            prop_assert_eq!(sorted, expected);
            let mut classes: Vec<&str> = order.iter().map(|id| id.split('#').next().unwrap_or("")).collect();
            classes.dedup();
            prop_assert_eq!(classes.len(), sizes.len());
        }
    }
}
