//! What a runtime inside a test VM tells the outside, as it happens.
//!
//! One event is one line of JSON, in a watched VM's file and on a worker's socket alike. docs/protocol.md
//! describes the lines.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::{Framework, PytestLaunch, RunChoices, RunResult, StateChange, Thrown};

/// Version of the lines; a reader refuses any other.
pub const PROTOCOL: u32 = 2;

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "event", rename_all = "kebab-case")]
pub enum Event {
    /// First, once, when the VM turns out to run tests.
    Vm(VmSeen),
    Started {
        test: SeenTest,
        /// Milliseconds since the agent was loaded.
        at_ms: u64,
    },
    Finished {
        test: SeenTest,
        at_ms: u64,
        duration_us: u64,
        #[serde(flatten)]
        result: RunResult,
        /// Another test ran at the same time in this VM: what happened in the VM meanwhile cannot be
        /// put down to this test.
        #[serde(default, skip_serializing_if = "std::ops::Not::not")]
        overlapped: bool,
    },
    /// Comes before the `Finished` of the test that it is about, only where state is looked at, and also if nothing
    /// changed: a test without it was not looked at.
    Changed {
        test: SeenTest,
        /// How many tests it may have been: this one, and those that finished right before it.
        tests: u32,
        change: StateChange,
    },
    /// Comes before the `Started` of the first test of a class: what changed since the last test before it, by code around
    /// the tests.
    ChangedAround { test: SeenTest, change: StateChange },
    /// A class has run, with its class-level set-up and tear-down: what is different by these, and not by its tests. Only
    /// where state is looked at, and also if nothing is different.
    ClassChanged { framework: Framework, class: String, change: StateChange },
    /// Comes before the `Finished` of the test that it is about, only where choices are made.
    Chose { test: SeenTest, choices: RunChoices },
    /// Class-level set-up or tear-down failed; the tests below it may never start.
    ContainerFailed { container: SeenTest, thrown: Thrown },
    /// A worker is done with a [`crate::Command::Run`]; `reason` is why some of its tests may not have run.
    Done {
        #[serde(default, skip_serializing_if = "Option::is_none")]
        reason: Option<String>,
    },
    /// Something in the runtime itself did not work. The tests went on.
    Trouble { what: String },
    /// Comes before `Ended`, only where it is asked for: the classes of the project that the VM has initialised.
    Classes { initialised: Vec<String> },
    /// The VM ended in an orderly way.
    Ended,
}

/// A test as the runtime sees it; the outside makes a [`crate::Test`] of it.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct SeenTest {
    pub framework: Framework,
    pub address: String,
    pub class: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub method: Option<String>,
    pub display: String,
    /// The JUnit Platform's name for reports in the old XML format.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub legacy: Option<String>,
    /// Whose rules it follows, if not those of the framework that runs it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub written_for: Option<Framework>,
}

/// The VM's launch as found from inside, raw.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct VmSeen {
    pub protocol: u32,
    pub pid: u32,
    /// The processes that started it, from its parent up.
    pub ancestors: Vec<u32>,
    /// When the agent was loaded, in milliseconds of Unix time.
    pub loaded_at_ms: u64,
    pub executable: String,
    pub argv: Vec<String>,
    /// The text of each `@file` in `argv`.
    #[serde(default)]
    pub argument_files: BTreeMap<String, String>,
    pub directory: String,
    pub environment: BTreeMap<String, String>,
    #[serde(default)]
    pub properties: BTreeMap<String, String>,
    /// `Class-Path` of the manifest of each pathing jar, as absolute paths.
    #[serde(default)]
    pub pathing_jars: BTreeMap<String, Vec<String>>,
    /// Class path of the test code's own loader, where it is not the system class loader.
    #[serde(default)]
    pub loader_path: Vec<String>,
    /// That loader asks its own path before its parent's.
    #[serde(default)]
    pub loader_first: bool,
    /// What the build tool passed to the test framework.
    #[serde(default)]
    pub configuration: BTreeMap<String, String>,
    /// Only from a Python process.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub pytest: Option<Box<PytestLaunch>>,
}
