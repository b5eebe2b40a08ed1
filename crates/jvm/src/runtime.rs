//! Starts workers from the launches of a watched run.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use surefoot_model::{Command, Launch, LaunchId, Watch};
use surefoot_scheduler::{Runtime, StartError, Worker};

use crate::AgentFile;
use crate::process::Process;
use crate::tests::Tests;
use crate::worker::JvmWorker;

#[derive(Debug)]
pub struct JvmRuntime {
    agent: AgentFile,
    launches: BTreeMap<LaunchId, Launch>,
    tests: Tests,
    crash_reports: Option<PathBuf>,
}

impl JvmRuntime {
    pub fn new(agent: AgentFile, watch: &Watch) -> Self {
        JvmRuntime {
            agent,
            launches: watch.launches.clone(),
            tests: Tests::new(watch.tests.clone()),
            crash_reports: None,
        }
    }

    /// Workers that crash leave their reports in this folder, and not in the project, unless the user says where.
    pub fn with_crash_reports(mut self, folder: &Path) -> Self {
        self.crash_reports = Some(folder.to_owned());
        self
    }
}

impl Runtime for JvmRuntime {
    fn start(&self, launch: &LaunchId) -> Result<Box<dyn Worker>, StartError> {
        let Some(launch) = self.launches.get(launch) else {
            return Err(StartError { what: "its launch is not in the store; watch again".to_owned() });
        };
        let process = Process::start(launch, &self.agent, self.crash_reports.as_deref()).map_err(|e| StartError {
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
        Ok(Box::new(JvmWorker::new(process, self.tests.clone())))
    }
}
