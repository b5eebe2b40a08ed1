//! Which processes have imported tests, to fork workers.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::thread::{self, JoinHandle};

use surefoot_model::{Choosing, Experiment, LaunchId, Start, TestId};
use surefoot_runtime::{Parent, Process};

use crate::tests::PythonTests;

#[derive(Debug, Default)]
pub(crate) struct Parents {
    planned: Mutex<BTreeMap<Key, Planned>>,
    /// Threads that wait for those to end that are of no more use.
    ending: Mutex<Vec<JoinHandle<()>>>,
}

/// The number of the parent that a launch usually has.
const FIRST: u32 = 0;

/// A launch, and the number of one of its parents.
type Key = (LaunchId, u32);

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
    /// One that has imported all tests, and that nothing is chosen in.
    pub(crate) fn adopt(&self, launch: LaunchId, parent: Parent) {
        let imports = Imports { files: Vec::new(), choose: None };
        self.planned().insert((launch, FIRST), Planned { imports, parent: Some(parent) });
    }

    /// For these experiments, which are the next. Parents that have more than they need stay, and those of no use to them go.
    pub(crate) fn plan(&self, tests: &PythonTests, experiments: &[Experiment]) {
        let mut by_parent: BTreeMap<Key, Vec<&Experiment>> = BTreeMap::new();
        for one in experiments {
            if let Start::Forked { parent } = one.settings.start {
                by_parent.entry((one.launch.clone(), parent)).or_default().push(one);
            }
        }
        if by_parent.is_empty() {
            return;
        }
        let mut planned = self.planned();
        // The first of a launch may be wanted once more after the others.
        let has = |launch: &LaunchId| by_parent.keys().any(|(wanted, _)| wanted == launch);
        let is_kept = |(launch, number): &Key| {
            let is_wanted = || by_parent.contains_key(&(launch.clone(), *number));
            has(launch) && (*number == FIRST || is_wanted())
        };
        let mut done: Vec<Planned> = Vec::new();
        for key in planned.keys().filter(|key| !is_kept(key)).cloned().collect::<Vec<Key>>() {
            done.extend(planned.remove(&key));
        }
        for (key, experiments) in by_parent {
            let imports = Imports::of(tests, &experiments);
            if !planned.get(&key).is_some_and(|known| known.imports.cover(&imports)) {
                done.extend(planned.insert(key, Planned { imports, parent: None }));
            }
        }
        self.end(done);
    }

    /// A process may take a while to end, and nobody need wait for that.
    fn end(&self, done: Vec<Planned>) {
        let ends = done.into_iter().map(|one| thread::spawn(move || drop(one)));
        self.ending().extend(ends);
    }

    fn ending(&self) -> MutexGuard<'_, Vec<JoinHandle<()>>> {
        self.ending.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// None if there is none to fork it.
    pub(crate) fn fork(
        &self,
        (launch, parent): (&LaunchId, u32),
        start: impl FnOnce(&Imports) -> Parent,
    ) -> Option<Process> {
        let mut planned = self.planned();
        let Planned { imports, parent } = planned.get_mut(&(launch.clone(), parent))?;
        parent.get_or_insert_with(|| start(imports)).fork().ok()?
    }

    fn planned(&self) -> MutexGuard<'_, BTreeMap<Key, Planned>> {
        self.planned.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Drop for Parents {
    /// Whatever they registered for their end is done when this is.
    fn drop(&mut self) {
        let all = std::mem::take(&mut *self.planned());
        self.end(all.into_values().collect());
        for end in self.ending().drain(..) {
            let _ = end.join();
        }
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

    fn first(name: &str) -> Key {
        (launch(name), FIRST)
    }

    fn forked(name: &str, tests: &[&str], choose: Option<Choosing>) -> Experiment {
        let run = |test: &&str| Run { test: TestId::from(*test), limit_ms: 1 };
        Experiment {
            id: 1,
            purpose: "test".to_owned(),
            launch: launch(name),
            runs: tests.iter().map(run).collect(),
            settings: Settings { start: Start::FORKED, choose, ..Settings::default() },
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

    fn planned(parents: &Parents) -> Vec<(Key, Imports)> {
        let planned = parents.planned();
        planned.iter().map(|(key, planned)| (key.clone(), planned.imports.clone())).collect()
    }

    #[test]
    fn a_parent_has_what_all_experiments_of_its_launch_need() {
        let parents = Parents::default();
        let one = forked("x", &["a.py::one"], None);
        let plain =
            Experiment { settings: Settings::default(), ..forked("y", &["c.py::three"], None) };
        parents.plan(&tests(), &[one.clone(), forked("x", &["b.py::two"], None), plain.clone()]);
        let imports = Imports { files: vec!["a.py".into(), "b.py".into()], choose: None };
        assert_eq!(planned(&parents), [(first("x"), imports.clone())]);
        parents.plan(&tests(), &[one, plain.clone()]);
        assert_eq!(planned(&parents), [(first("x"), imports.clone())], "it has more than it takes");
        parents.plan(&tests(), &[plain]);
        assert_eq!(planned(&parents), [(first("x"), imports)], "it may be needed again");
        parents.plan(&tests(), &[forked("x", &["c.py::three"], None)]);
        let imports = Imports { files: vec!["c.py".into()], choose: None };
        assert_eq!(planned(&parents), [(first("x"), imports)]);
        parents.plan(&tests(), &[forked("y", &["a.py::one", "b.py::two", "c.py::three"], None)]);
        let imports = Imports { files: Vec::new(), choose: None };
        assert_eq!(planned(&parents), [(first("y"), imports)], "none is kept for no use");
    }

    #[test]
    fn parents_with_other_numbers_have_what_their_own_experiments_need() {
        let parents = Parents::default();
        let by = |parent: u32, test: &str| {
            let mut experiment = forked("x", &[test], None);
            experiment.settings.start = Start::Forked { parent };
            experiment
        };
        let imports = |file: &str| Imports { files: vec![file.into()], choose: None };
        let [zero, one, two] = [(0, "a.py"), (1, "b.py"), (2, "c.py")]
            .map(|(number, file)| ((launch("x"), number), imports(file)));
        parents.plan(&tests(), &[by(0, "a.py::one"), by(1, "b.py::two")]);
        assert_eq!(planned(&parents), [zero.clone(), one]);
        parents.plan(&tests(), &[by(2, "c.py::three")]);
        assert_eq!(planned(&parents), [zero, two], "the first is kept");
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
