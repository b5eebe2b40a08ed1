//! What a watched run of the user's command showed.

use std::collections::{BTreeMap, BTreeSet};

use serde::{Deserialize, Serialize};

use crate::{ClassChange, Launch, LaunchId, RunResult, StateChange, Test, TestId, Thrown};

#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Watch {
    pub launches: BTreeMap<LaunchId, Launch>,
    pub tests: BTreeMap<TestId, Test>,
    /// In the order in which they started.
    pub vms: Vec<WatchedVm>,
    /// Classes of the project that were initialised; none if nobody asked for them.
    pub classes: BTreeSet<String>,
    /// Class-level set-ups and tear-downs that failed; tests below them may never have started.
    pub class_failures: Vec<ClassFailure>,
    /// What did not work in our own runtimes, for the user to read.
    pub troubles: Vec<String>,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ClassFailure {
    /// The class, or what else the framework has around tests.
    pub container: Test,
    pub thrown: Thrown,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct WatchedVm {
    pub pid: u32,
    pub launch: LaunchId,
    /// In the order in which they finished.
    pub runs: Vec<WatchedRun>,
    /// By class-level set-up and tear-down, for each class that was looked at.
    pub class_changes: Vec<ClassChange>,
    pub end: VmEnd,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct WatchedRun {
    pub test: TestId,
    #[serde(flatten)]
    pub result: RunResult,
    pub duration_us: u64,
    /// Ran at the same time as another test of its VM.
    #[serde(default)]
    pub overlapped: bool,
    /// What it left different; none if nobody looked.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub change: Option<StateChange>,
    /// What it and the runs that were looked at together with it left different.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub change_together: Option<StateChange>,
    /// What code around the tests changed since the test before it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub change_before: Option<StateChange>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum VmEnd {
    Orderly,
    /// Its record stops before its end: crashed, halted or killed.
    Abrupt,
}

impl Watch {
    /// Every run of every VM.
    pub fn runs(&self) -> impl Iterator<Item = &WatchedRun> {
        self.vms.iter().flat_map(|vm| &vm.runs)
    }
}
