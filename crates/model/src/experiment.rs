//! The one idea that holds Surefoot together: an experiment is an ordered list of test runs in one VM,
//! with settings; its outcome is a result for each run.

use serde::{Deserialize, Serialize};

use crate::{
    CapturePoints, Choosing, ClassChange, FileScope, LaunchId, RunChange, RunChoices, RunResult,
    TestId,
};

/// Test runs, in order, in one VM started from one launch.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Experiment {
    /// Unique among the experiments of one run of Surefoot.
    pub id: u64,
    /// What it is for, in a few words: `replay`, `alone`, ...
    pub purpose: String,
    pub launch: LaunchId,
    pub runs: Vec<Run>,
    pub settings: Settings,
}

/// One run of a test. The same test may come several times in an experiment.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Run {
    pub test: TestId,
    /// How long the test may take before it counts as hung.
    pub limit_ms: u64,
}

#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Settings {
    pub class_setup: ClassSetup,
    /// How the state that tests share is compared around runs.
    #[serde(default)]
    pub observe: Observe,
    /// Around the runs of these tests alone; none for all of them.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub observe_only: Vec<TestId>,
    /// Which files are part of that state.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub files: Option<FileScope>,
    /// What is chosen where specifications leave it open; none: nothing is touched.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub choose: Option<Choosing>,
    /// Roots that are put back after each run, to see whether they are what a later run trips over.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub keep: Vec<String>,
    /// As in [`crate::Observation`].
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub include_roots: Vec<String>,
    /// As in [`crate::Observation`].
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub capture: Option<CapturePoints>,
    /// As in [`crate::Observation`].
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub dump: Option<String>,
    /// As in [`crate::Observation`].
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub eager: Option<String>,
    #[serde(default, skip_serializing_if = "Workspace::is_in_place")]
    pub workspace: Workspace,
    /// No other VM of ours runs meanwhile: two in one directory, or with one port, can disturb each other.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub undisturbed: bool,
    #[serde(default, skip_serializing_if = "Start::is_plain")]
    pub start: Start,
    /// The VM may be one that is as good as new; none: it must be new.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reuse: Option<Reuse>,
    /// It goes on in the VM of another one; none: it has its own.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub after: Option<After>,
}

/// How a new VM comes to be.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Start {
    /// As the user's own did.
    #[default]
    Plain,
    /// It may be forked from one that has imported the tests, where the runtime can do that, which takes a fraction of the time. What was
    /// left to chance up to there is the same in all forks of a `parent`, such as the seed of hashes in Python. So they can show what
    /// to look for, but forks of one alone not that a test ends the same each time. Parents with other numbers are started by themselves.
    Forked { parent: u32 },
}

impl Start {
    /// From whichever parent there is.
    pub const FORKED: Start = Start::Forked { parent: 0 };

    fn is_plain(&self) -> bool {
        *self == Start::Plain
    }
}

/// An experiment whose tests find what those of another one left in the VM. If that VM is gone, there is a new one.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct After {
    /// The other one: it has the same launch, and is proposed together with this one and before it.
    pub experiment: u64,
    /// Tests that failed so often in the experiments before this one are not run again.
    pub enough: u32,
    /// Nor are those that came to no choice there.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub choosing: bool,
}

/// A VM is as good as new if all that ran in it passed and left the state as it was, as far as that is looked at; or if what it
/// left was put back.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Reuse {
    /// Paths at which something may have been set that had not been set before: what a runtime works out when it is first asked.
    pub set: Vec<String>,
}

/// Which directory the VM runs in, and so which files it finds.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Workspace {
    /// The one that it was watched in.
    #[default]
    InPlace,
    /// One with the files that the watched run found: that directory, or a copy of it without what tests left there.
    AsFound,
    /// Such a copy, but experiments with the same word share one copy, and find what those before them left.
    SharedCopy(String),
}

impl Workspace {
    fn is_in_place(&self) -> bool {
        *self == Workspace::InPlace
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Observe {
    #[default]
    Nothing,
    /// Around each run, or around those of [`Settings::observe_only`].
    Each,
}

/// What consecutive runs of one class share.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum ClassSetup {
    /// One class-level set-up and tear-down around all of them, as for a copy of the method that stands
    /// beside the original.
    #[default]
    Shared,
    /// A class-level set-up and tear-down for each run.
    PerRun,
}

/// What came of an experiment: one [`RunOutcome`] for each of its runs, in the same order.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Outcome {
    pub experiment: u64,
    pub runs: Vec<RunOutcome>,
    /// By class-level set-up and tear-down, for each class that was looked at.
    pub class_changes: Vec<ClassChange>,
    /// It ran in a copy of the files: see [`Workspace::AsFound`].
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub in_copy: bool,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct RunOutcome {
    pub test: TestId,
    #[serde(flatten)]
    pub result: RunResult,
    pub duration_ms: u64,
    /// Which VM of the experiment it ran in: 0, and one more each time a VM died or hung and the rest
    /// went on in a new one.
    pub vm: u32,
    /// What the run left different; none if nobody looked.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub change: Option<RunChange>,
    /// Where a specification left open what happens; none if nobody chose.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub choices: Option<Box<RunChoices>>,
    /// The end of what the VM printed, kept only where the VM died or hung.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub output: Option<String>,
}

impl RunOutcome {
    /// It passed, was looked at by itself, and changed nothing that counts.
    pub fn leaves_as_good_as_new(&self, reuse: &Reuse) -> bool {
        let changed_nothing =
            |change: &RunChange| change.runs == 1 && change.change.leaves_nothing_but(&reuse.set);
        self.result.passed() && self.change.as_ref().is_some_and(changed_nothing)
    }
}
