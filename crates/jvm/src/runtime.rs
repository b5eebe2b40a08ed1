//! Starts workers from the launches of a watched run.

use std::collections::BTreeMap;
use std::sync::Arc;

use surefoot_model::{Framework, Launch, LaunchId, Test, TestId, Watch};
use surefoot_model::Command;
use surefoot_scheduler::{Runtime, StartError, Worker};

use crate::AgentFile;
use crate::process::Process;
use crate::worker::JvmWorker;

#[derive(Debug)]
pub struct JvmRuntime {
    agent: AgentFile,
    launches: BTreeMap<LaunchId, Launch>,
    tests: Tests,
}

impl JvmRuntime {
    pub fn new(agent: AgentFile, watch: &Watch) -> Self {
        JvmRuntime {
            agent,
            launches: watch.launches.clone(),
            tests: Tests(Arc::new(watch.tests.clone())),
        }
    }
}

impl Runtime for JvmRuntime {
    fn start(&self, launch: &LaunchId) -> Result<Box<dyn Worker>, StartError> {
        let Some(launch) = self.launches.get(launch) else {
            return Err(StartError { what: "its launch is not in the store; watch again".to_owned() });
        };
        let process = Process::start(launch, &self.agent).map_err(|e| StartError {
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

/// The tests that workers may be asked to run.
#[derive(Debug, Clone)]
pub(crate) struct Tests(Arc<BTreeMap<TestId, Test>>);

impl Tests {
    /// A test that was never seen has an address that no framework finds.
    pub(crate) fn get(&self, id: &TestId) -> Test {
        self.0.get(id).cloned().unwrap_or_else(|| Test {
            id: id.clone(),
            framework: Framework::JunitPlatform,
            class: String::new(),
            method: None,
            address: String::new(),
            display: id.0.clone(),
            legacy: None,
        })
    }
}
