//! From what a Python process told of itself to a launch that starts one like it.

use std::collections::BTreeMap;

use surefoot_model::event::{SeenTest, VmSeen};
use surefoot_model::{Launch, Test, TestId};
use surefoot_runtime::Language;

use crate::inject;

/// Differ from process to process, or are set by pytest itself.
const VOLATILE: &[&str] =
    &["_", "SHLVL", "OLDPWD", "PYTEST_CURRENT_TEST", "PYTEST_VERSION", "PYTEST_XDIST_WORKER"];

/// With them, coverage would measure the worker and write the user's data.
const COVERAGE: &[&str] = &[
    "COVERAGE_PROCESS_START",
    "COVERAGE_PROCESS_CONFIG",
    "COV_CORE_SOURCE",
    "COV_CORE_CONFIG",
    "COV_CORE_DATAFILE",
];

/// How records of Python processes are read.
#[derive(Debug, Clone, Copy)]
pub struct Python;

impl Language for Python {
    fn launch(&self, seen: &VmSeen) -> Launch {
        let mut environment = seen.environment.clone();
        inject::restore(&mut environment);
        for name in VOLATILE.iter().chain(COVERAGE) {
            environment.remove(*name);
        }
        let pytest = seen.pytest.clone().unwrap_or_default();
        Launch {
            executable: seen.executable.clone(),
            options: pytest.options.clone(),
            class_path: Vec::new(),
            class_path_property: String::new(),
            properties: BTreeMap::new(),
            configuration: BTreeMap::new(),
            environment,
            directory: seen.directory.clone(),
            pytest: Some(pytest),
        }
    }

    /// pytest's own names are made for people, and stay the same from run to run.
    fn test(&self, seen: SeenTest) -> Test {
        Test {
            id: TestId(seen.address.clone()),
            framework: seen.framework,
            class: seen.class,
            method: seen.method,
            address: seen.address,
            display: seen.display,
            legacy: seen.legacy,
            written_for: seen.written_for,
        }
    }
}
