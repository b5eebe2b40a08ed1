//! Which processes have imported tests, to fork workers.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Mutex, MutexGuard, PoisonError};

use surefoot_model::{Choosing, Experiment, LaunchId, Start, TestId};
use surefoot_runtime::{Parent, Process};

use crate::tests::PythonTests;

/// At most one for each launch.
#[derive(Debug, Default)]
pub(crate) struct Parents(Mutex<BTreeMap<LaunchId, Planned>>);

#[derive(Debug)]
struct Planned {
    imports: Imports,
    /// Once it was needed.
    parent: Option<Parent>,
}

/// What is there when a worker is forked.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Imports {
    /// Empty: all.
    pub(crate) files: Vec<String>,
    /// What can be chosen in a worker. That it can must be seen to before tests are imported.
    pub(crate) choose: Option<Choosing>,
}

impl Imports {
    /// With what others need, of the same launch.
    fn of(tests: &PythonTests, experiments: &[&Experiment]) -> Imports {
        let runs = experiments.iter().flat_map(|experiment| &experiment.runs);
        let wanted: BTreeSet<&TestId> = runs.map(|run| &run.test).collect();
        let first = experiments.first().and_then(|one| one.settings.choose.as_ref());
        Imports { files: tests.files_of(wanted), choose: first.map(Choosing::in_general) }
    }

    /// Whoever needs the others can do with these.
    fn cover(&self, others: &Imports) -> bool {
        let has = |file: &String| self.files.contains(file);
        let has_files = || !others.files.is_empty() && others.files.iter().all(has);
        self.choose == others.choose && (self.files.is_empty() || has_files())
    }
}

impl Parents {
    /// For these experiments, which are the next. Parents that have more than they need stay, and those of no use to them go.
    pub(crate) fn plan(&self, tests: &PythonTests, experiments: &[Experiment]) {
        let mut by_launch: BTreeMap<&LaunchId, Vec<&Experiment>> = BTreeMap::new();
        for one in experiments.iter().filter(|one| one.settings.start == Start::Forked) {
            by_launch.entry(&one.launch).or_default().push(one);
        }
        if by_launch.is_empty() {
            return;
        }
        let mut planned = self.planned();
        planned.retain(|launch, _| by_launch.contains_key(launch));
        for (launch, experiments) in by_launch {
            let imports = Imports::of(tests, &experiments);
            if !planned.get(launch).is_some_and(|known| known.imports.cover(&imports)) {
                planned.insert(launch.clone(), Planned { imports, parent: None });
            }
        }
    }

    /// None if there is none to fork it.
    pub(crate) fn fork(
        &self,
        launch: &LaunchId,
        start: impl FnOnce(&Imports) -> Parent,
    ) -> Option<Process> {
        let mut planned = self.planned();
        let Planned { imports, parent } = planned.get_mut(launch)?;
        parent.get_or_insert_with(|| start(imports)).fork().ok()?
    }

    fn planned(&self) -> MutexGuard<'_, BTreeMap<LaunchId, Planned>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod unit_tests {
    use surefoot_model::{Fingerprint, Framework, Level, Run, Settings, Test};

    use super::*;

    fn tests() -> PythonTests {
        let test = |address: &str| Test {
            id: TestId::from(address),
            framework: Framework::Pytest,
            class: String::new(),
            method: None,
            address: address.into(),
            display: address.into(),
            legacy: None,
            written_for: None,
        };
        let all = ["a.py::one", "b.py::two", "c.py::three"].map(test);
        PythonTests::new(all.into_iter().map(|test| (test.id.clone(), test)).collect())
    }

    fn launch(name: &str) -> LaunchId {
        LaunchId(Fingerprint::of([name]))
    }

    fn forked(name: &str, tests: &[&str], choose: Option<Choosing>) -> Experiment {
        let run = |test: &&str| Run { test: TestId::from(*test), limit_ms: 1 };
        Experiment {
            id: 1,
            purpose: "test".to_owned(),
            launch: launch(name),
            runs: tests.iter().map(run).collect(),
            settings: Settings { start: Start::Forked, choose, ..Settings::default() },
        }
    }

    fn choosing(seed: u64, level: Level) -> Choosing {
        Choosing {
            seed,
            level,
            only: None,
            models: Vec::new(),
            declared: Vec::new(),
            identity_hash: None,
            trace: true,
        }
    }

    fn planned(parents: &Parents) -> Vec<(LaunchId, Imports)> {
        let planned = parents.planned();
        planned.iter().map(|(launch, planned)| (launch.clone(), planned.imports.clone())).collect()
    }

    #[test]
    fn a_parent_has_what_all_experiments_of_its_launch_need() {
        let parents = Parents::default();
        let one = forked("x", &["a.py::one"], None);
        let plain =
            Experiment { settings: Settings::default(), ..forked("y", &["c.py::three"], None) };
        parents.plan(&tests(), &[one.clone(), forked("x", &["b.py::two"], None), plain.clone()]);
        let imports = Imports { files: vec!["a.py".into(), "b.py".into()], choose: None };
        assert_eq!(planned(&parents), [(launch("x"), imports.clone())]);
        parents.plan(&tests(), &[one, plain.clone()]);
        assert_eq!(
            planned(&parents),
            [(launch("x"), imports.clone())],
            "it has more than it takes"
        );
        parents.plan(&tests(), &[plain]);
        assert_eq!(planned(&parents), [(launch("x"), imports)], "it may be needed again");
        parents.plan(&tests(), &[forked("x", &["c.py::three"], None)]);
        let imports = Imports { files: vec!["c.py".into()], choose: None };
        assert_eq!(planned(&parents), [(launch("x"), imports)]);
        parents.plan(&tests(), &[forked("y", &["a.py::one", "b.py::two", "c.py::three"], None)]);
        let imports = Imports { files: Vec::new(), choose: None };
        assert_eq!(planned(&parents), [(launch("y"), imports)], "none is kept for no use");
    }

    #[test]
    fn all_seeds_and_levels_have_one_parent_and_who_chooses_nothing_has_another() {
        let one =
            Imports::of(&tests(), &[&forked("x", &["a.py::one"], Some(choosing(1, Level::Id)))]);
        let other =
            Imports::of(&tests(), &[&forked("x", &["a.py::one"], Some(choosing(2, Level::Full)))]);
        let usual = Imports::of(&tests(), &[&forked("x", &["a.py::one"], None)]);
        assert!(one.cover(&other) && !one.cover(&usual) && !usual.cover(&one));
        assert_eq!(
            one.choose.map(|choose| choose.only),
            Some(Some(Vec::new())),
            "it chooses nothing"
        );
    }
}
