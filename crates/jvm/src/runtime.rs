//! Starts workers from the launches of a watched run.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use surefoot_model::{Command, Launch, LaunchId, Start, Watch};
use surefoot_runtime::{Process, VmWorker};
use surefoot_scheduler::{Runtime, StartError, Worker};

use crate::AgentFile;
use crate::arguments::arguments;
use crate::tests::JvmTests;

#[derive(Debug)]
pub struct JvmRuntime {
    agent: AgentFile,
    launches: BTreeMap<LaunchId, Launch>,
    tests: Arc<JvmTests>,
    folder: PathBuf,
}

impl JvmRuntime {
    /// In `folder`, workers leave reports of crashes and find arguments that are too long for a command line.
    pub fn new(agent: AgentFile, watch: &Watch, folder: &Path) -> Self {
        JvmRuntime {
            agent,
            launches: watch.launches.clone(),
            tests: Arc::new(JvmTests::new(watch.tests.clone())),
            folder: folder.to_owned(),
        }
    }
}

impl JvmRuntime {
    /// Another launch of the same tests.
    pub fn add(&mut self, launch: Launch) -> LaunchId {
        let id = launch.id();
        self.launches.insert(id.clone(), launch);
        id
    }

    pub fn launch(&self, id: &LaunchId) -> Option<&Launch> {
        self.launches.get(id)
    }
}

impl Runtime for JvmRuntime {
    /// A JVM has threads, and cannot be forked.
    fn start(&self, launch: &LaunchId, _: Start) -> Result<Box<dyn Worker>, StartError> {
        let Some(launch) = self.launches.get(launch) else {
            return Err(StartError {
                what: "its launch is not in the store; watch again".to_owned(),
            });
        };
        let process =
            Process::start(launch, |socket| arguments(launch, &self.agent, &self.folder, socket))
                .map_err(|e| StartError {
                what: format!(
                    "{} in {}: {e}; if the JDK or the directory is gone, watch again",
                    launch.executable, launch.directory
                ),
            })?;
        let mut properties = launch.properties.clone();
        properties.insert("java.class.path".to_owned(), launch.class_path_property.clone());
        process.send(Command::Properties { values: properties });
        if !launch.configuration.is_empty() {
            process.send(Command::Configuration { values: launch.configuration.clone() });
        }
        Ok(Box::new(VmWorker::new(process, self.tests.clone())))
    }
}
