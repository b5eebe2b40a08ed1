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
