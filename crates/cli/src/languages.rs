//! The languages whose tests Surefoot sees and runs: the one place that knows them all.

use std::ffi::OsString;
use std::path::Path;

use anyhow::Result;
use surefoot_jvm::{AgentFile, Jvm, JvmRuntime};
use surefoot_model::event::VmSeen;
use surefoot_model::{Event, Experiment, LaunchId, Start, Watch};
use surefoot_python::{PluginFolder, Python, PythonRuntime};
use surefoot_runtime::{Language, Parent};
use surefoot_scheduler::{Runtime, StartError, Worker};

/// What test VMs load, on disk.
#[derive(Debug)]
pub(crate) struct Agents {
    jvm: AgentFile,
    python: PluginFolder,
}

impl Agents {
    pub(crate) fn unpack() -> Result<Agents> {
        Ok(Agents { jvm: AgentFile::unpack()?, python: PluginFolder::unpack()? })
    }

    /// The variables that make every test VM that a command starts tell what it does in `folder`.
    pub(crate) fn watch_variables(&self, folder: &Path) -> Vec<(&'static str, OsString)> {
        let java = surefoot_jvm::inject::VARIABLE;
        let users = std::env::var(java).ok();
        let options = surefoot_jvm::inject::watch_options(users.as_deref(), &self.jvm, folder);
        let user = |name: &str| std::env::var_os(name);
        let python = surefoot_python::inject::watch_variables(user, &self.python, folder);
        python.into_iter().chain([(java, options.into())]).collect()
    }
}

/// One list of events for each VM's record.
pub(crate) fn watch(mut records: Vec<Vec<Event>>) -> Watch {
    for event in records.iter_mut().flatten() {
        if let Event::Vm(seen) = event {
            restore(seen);
        }
    }
    surefoot_runtime::watch(records, language)
}

/// Each VM had what is meant for any of them.
fn restore(seen: &mut VmSeen) {
    surefoot_jvm::inject::restore(&mut seen.environment);
    surefoot_python::inject::restore(&mut seen.environment);
}

fn language(seen: &VmSeen) -> &'static dyn Language {
    if seen.pytest.is_some() { &Python } else { &Jvm }
}

/// Starts each launch in its language.
#[derive(Debug)]
pub(crate) struct Runtimes {
    jvm: JvmRuntime,
    python: PythonRuntime,
    python_launches: Vec<LaunchId>,
}

impl Runtimes {
    /// In `folder`, workers may leave reports of crashes.
    pub(crate) fn new(agents: Agents, watch: &Watch, folder: &Path) -> Runtimes {
        let is_python = |id: &&LaunchId| watch.launches[*id].pytest.is_some();
        Runtimes {
            jvm: JvmRuntime::new(agents.jvm, watch, folder),
            python: PythonRuntime::new(agents.python, watch),
            python_launches: watch.launches.keys().filter(is_python).cloned().collect(),
        }
    }
}

impl Runtimes {
    /// Parents that watched VMs left behind.
    pub(crate) fn adopt(&mut self, parents: Vec<(VmSeen, Parent)>) {
        for (mut seen, parent) in parents {
            restore(&mut seen);
            self.python.adopt(&seen, parent);
        }
    }

    pub(crate) fn jvm(&mut self) -> &mut JvmRuntime {
        &mut self.jvm
    }

    /// As they can be started, which comes next.
    pub(crate) fn prepared(&mut self, experiments: &[Experiment]) -> Vec<Experiment> {
        let prepared: Vec<Experiment> =
            experiments.iter().map(|experiment| self.prepared_for_choices(experiment)).collect();
        self.python.plan(&prepared);
        prepared
    }

    /// Some of what an experiment chooses must be there before the process is.
    fn prepared_for_choices(&mut self, experiment: &Experiment) -> Experiment {
        let mut experiment = experiment.clone();
        if let Some(choosing) = &experiment.settings.choose
            && let Some(launch) = self.python.add_with_hashes(&experiment.launch, choosing)
        {
            if !self.python_launches.contains(&launch) {
                self.python_launches.push(launch.clone());
            }
            experiment.launch = launch;
        }
        experiment
    }
}

impl Runtime for Runtimes {
    fn start(&self, launch: &LaunchId, start: Start) -> Result<Box<dyn Worker>, StartError> {
        if self.python_launches.contains(launch) {
            self.python.start(launch, start)
        } else {
            self.jvm.start(launch, start)
        }
    }
}
