//! Starts workers from the launches of a watched run.

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::os::fd::RawFd;
use std::sync::Arc;

use surefoot_model::choice::HASH_SEED;
use surefoot_model::{Choosing, Command, Launch, LaunchId, Watch};
use surefoot_runtime::{Process, VmWorker};
use surefoot_scheduler::{Runtime, StartError, Worker};

use crate::PluginFolder;
use crate::tests::PythonTests;

/// Everything else comes through the socket. With `-c` there is no main file that `multiprocessing` could import again.
const PROGRAM: &str = "import sys; sys.path.insert(0, sys.argv[1]); from surefoot_pytest import worker; worker.main(int(sys.argv[2]))";

#[derive(Debug)]
pub struct PythonRuntime {
    plugin: PluginFolder,
    launches: BTreeMap<LaunchId, Launch>,
    tests: Arc<PythonTests>,
}

impl PythonRuntime {
    pub fn new(plugin: PluginFolder, watch: &Watch) -> Self {
        PythonRuntime {
            plugin,
            launches: watch.launches.clone(),
            tests: Arc::new(PythonTests::new(watch.tests.clone())),
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

    fn arguments(&self, launch: &Launch, socket: RawFd) -> Vec<OsString> {
        let mut arguments: Vec<OsString> = launch.options.iter().map(OsString::from).collect();
        arguments.extend(["-c".into(), PROGRAM.into()]);
        arguments.push(self.plugin.path().into());
        arguments.push(socket.to_string().into());
        arguments
    }
}

impl Runtime for PythonRuntime {
    fn start(&self, launch: &LaunchId) -> Result<Box<dyn Worker>, StartError> {
        let known = self.launches.get(launch);
        let Some((launch, pytest)) = known.and_then(|known| Some((known, known.pytest.clone()?)))
        else {
            return Err(StartError {
                what: "its launch is not in the store; watch again".to_owned(),
            });
        };
        let process =
            Process::start(launch, |socket| Ok(self.arguments(launch, socket))).map_err(|e| {
                StartError {
                    what: format!(
                        "{} in {}: {e}; if the interpreter or the directory is gone, watch again",
                        launch.executable, launch.directory
                    ),
                }
            })?;
        process.send(Command::Pytest(pytest));
        Ok(Box::new(VmWorker::new(process, self.tests.clone())))
    }
}
