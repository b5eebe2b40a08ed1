//! The tests that workers may be asked to run, and how to ask for them.

use std::collections::{BTreeMap, BTreeSet};

use surefoot_model::{ClassSetup, Command, Framework, Test, TestId};
use surefoot_runtime::Tests;

#[derive(Debug)]
pub(crate) struct PythonTests {
    tests: BTreeMap<TestId, Test>,
    /// All files that tests were seen in.
    files: BTreeSet<String>,
}

impl PythonTests {
    pub(crate) fn new(tests: BTreeMap<TestId, Test>) -> Self {
        let of_python = tests.values().filter(|test| test.framework == Framework::Pytest);
        let files = of_python.map(|test| file(test).to_owned()).collect();
        PythonTests { tests, files }
    }

    /// To import the rest of a large suite for one test would take longer than the test. If tests of all files are wanted, files
    /// in which none was seen may matter too, and everything is collected as it was when watched.
    fn files<'t>(&self, tests: impl IntoIterator<Item = &'t Test>) -> Vec<String> {
        let wanted: BTreeSet<&str> = tests.into_iter().map(file).collect();
        if wanted.len() == self.files.len() {
            return Vec::new();
        }
        wanted.into_iter().map(str::to_owned).collect()
    }
}

impl PythonTests {
    /// In which files these tests need be looked for; empty: in all.
    pub(crate) fn files_of<'t>(&self, tests: impl IntoIterator<Item = &'t TestId>) -> Vec<String> {
        self.files(tests.into_iter().filter_map(|id| self.tests.get(id)))
    }
}

impl Tests for PythonTests {
    fn get(&self, id: &TestId) -> Test {
        self.tests.get(id).cloned().unwrap_or_else(|| Test {
            id: id.clone(),
            framework: Framework::Pytest,
            class: String::new(),
            method: None,
            address: String::new(),
            display: id.0.clone(),
            legacy: None,
            written_for: None,
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
            files: self.files(tests),
            whole: Vec::new(),
        }]
    }
}

/// The file in a node id.
fn file(test: &Test) -> &str {
    test.address.split("::").next().unwrap_or_default()
}

#[cfg(test)]
mod unit_tests {
    use super::*;

    fn test(address: &str) -> Test {
        Test {
            id: TestId::from(address),
            framework: Framework::Pytest,
            class: String::new(),
            method: None,
            address: address.into(),
            display: address.into(),
            legacy: None,
            written_for: None,
        }
    }

    fn files(wanted: &[&str]) -> Vec<String> {
        let all = ["a.py::one", "a.py::T::two[x::y]", "b.py::three"].map(test);
        let tests = PythonTests::new(all.into_iter().map(|test| (test.id.clone(), test)).collect());
        let wanted: Vec<Test> = wanted.iter().copied().map(test).collect();
        match &tests.commands(&wanted, ClassSetup::Shared)[..] {
            [Command::Run { files, .. }] => files.clone(),
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn only_the_files_of_the_wanted_tests_are_collected_unless_that_is_all_of_them() {
        assert_eq!(files(&["a.py::one", "a.py::T::two[x::y]"]), ["a.py"]);
        assert_eq!(files(&["b.py::three"]), ["b.py"]);
        assert_eq!(files(&["a.py::one", "b.py::three"]), [""; 0]);
    }
}
