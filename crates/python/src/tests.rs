//! The tests that workers may be asked to run, and how to ask for them.

use std::collections::BTreeMap;

use surefoot_model::{ClassSetup, Command, Framework, Test, TestId};
use surefoot_runtime::Tests;

#[derive(Debug)]
pub(crate) struct PythonTests(pub(crate) BTreeMap<TestId, Test>);

impl Tests for PythonTests {
    fn get(&self, id: &TestId) -> Test {
        self.0.get(id).cloned().unwrap_or_else(|| Test {
            id: id.clone(),
            framework: Framework::Pytest,
            class: String::new(),
            method: None,
            address: String::new(),
            display: id.0.clone(),
            legacy: None,
        })
    }

    fn commands(&self, tests: &[Test], class_setup: ClassSetup) -> Vec<Command> {
        if tests.is_empty() {
            return Vec::new();
        }
        vec![Command::Run {
            framework: Framework::Pytest,
            class_setup,
            addresses: tests.iter().map(|test| test.address.clone()).collect(),
            whole: Vec::new(),
        }]
    }
}
