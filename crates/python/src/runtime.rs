//! Starts workers from the launches of a watched run.

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::os::fd::RawFd;
use std::sync::Arc;

use surefoot_model::choice::HASH_SEED;
use surefoot_model::event::VmSeen;
use surefoot_model::{Choosing, Command, Experiment, Launch, LaunchId, PytestLaunch, Start, Watch};
use surefoot_runtime::{Language, Parent, Process, VmWorker};
use surefoot_scheduler::{Runtime, StartError, Worker};

use crate::PluginFolder;
use crate::launch::Python;
use crate::parents::{Imports, Parents};
use crate::tests::PythonTests;

/// Everything else comes through the socket. With `-c` there is no main file that `multiprocessing` could import again.
const PROGRAM: &str = "import sys; sys.path.insert(0, sys.argv[1]); from surefoot_pytest import worker; worker.main(int(sys.argv[2]))";

#[derive(Debug)]
pub struct PythonRuntime {
    plugin: PluginFolder,
    launches: BTreeMap<LaunchId, Launch>,
    tests: Arc<PythonTests>,
    parents: Parents,
}

impl PythonRuntime {
    pub fn new(plugin: PluginFolder, watch: &Watch) -> Self {
        PythonRuntime {
            plugin,
            launches: watch.launches.clone(),
            tests: Arc::new(PythonTests::new(watch.tests.clone())),
            parents: Parents::default(),
        }
    }

    /// The same launch with the seed that hashes follow from, of which a process takes note when it starts. Where nothing else is
    /// chosen it is 0, so that what differs between two processes is what was chosen.
    pub fn add_with_hashes(&mut self, id: &LaunchId, choosing: &Choosing) -> Option<LaunchId> {
        let mut launch = self.launches.get(id).filter(|launch| launch.pytest.is_some())?.clone();
        let seed = choosing.hash_seed().unwrap_or(0);
        launch.environment.insert(HASH_SEED.to_owned(), seed.to_string());
        let id = launch.id();
        self.launches.insert(id.clone(), launch);
        Some(id)
    }

    /// A parent that this process left behind when it was watched.
    pub fn adopt(&self, seen: &VmSeen, parent: Parent) {
        self.parents.adopt(Python.launch(seen).id(), parent);
    }

    /// These experiments come next.
    pub fn plan(&self, experiments: &[Experiment]) {
        self.parents.plan(&self.tests, experiments);
    }

    fn parent(&self, launch: &Launch, pytest: Box<PytestLaunch>, imports: &Imports) -> Parent {
        let Imports { files, choose } = imports.clone();
        let commands = vec![Command::Warm { files, choose }, Command::Pytest(pytest)];
        let (like, plugin) = (launch.clone(), self.plugin.clone());
        let arguments = move |socket| Ok(arguments(&like, &plugin, socket));
        Parent::start(launch.clone(), arguments, commands)
    }
}

fn arguments(launch: &Launch, plugin: &PluginFolder, socket: RawFd) -> Vec<OsString> {
    let mut arguments: Vec<OsString> = launch.options.iter().map(OsString::from).collect();
    arguments.extend(["-c".into(), PROGRAM.into()]);
    arguments.push(plugin.path().into());
    arguments.push(socket.to_string().into());
    arguments
}

impl Runtime for PythonRuntime {
    fn start(&self, id: &LaunchId, start: Start) -> Result<Box<dyn Worker>, StartError> {
        let known = self.launches.get(id);
        let Some((launch, pytest)) = known.and_then(|known| Some((known, known.pytest.clone()?)))
        else {
            return Err(StartError {
                what: "its launch is not in the store; watch again".to_owned(),
            });
        };
        if let Start::Forked { parent } = start
            && let Some(process) = self
                .parents
                .fork((id, parent), |imports| self.parent(launch, pytest.clone(), imports))
        {
            return Ok(Box::new(VmWorker::new(process, self.tests.clone())));
        }
        let process = Process::start(launch, |socket| Ok(arguments(launch, &self.plugin, socket)))
            .map_err(|e| StartError {
                what: format!(
                    "{} in {}: {e}; if the interpreter or the directory is gone, watch again",
                    launch.executable, launch.directory
                ),
            })?;
        process.send(Command::Pytest(pytest));
        Ok(Box::new(VmWorker::new(process, self.tests.clone())))
    }
}
