//! What a test left different in the state that tests share.

use std::collections::{BTreeMap, BTreeSet};

use serde::{Deserialize, Serialize};

use crate::{CapturePoints, TestId};

/// What a runtime is to look at around each test.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub struct Observation {
    /// So many times what the tests take without it, looking may take in all; several tests are then looked at together.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub overhead: Option<f64>,
    /// The addresses of the tests that are looked at; none for all of them.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub only: Vec<String>,
    /// Which files are looked at too; none if no files are.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub files: Option<FileScope>,
    /// Roots that are put back to what they were before the first test, after each test.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub keep: Vec<String>,
    /// Regular expressions for names of classes: the static fields of these are looked at, and not those of the project. None:
    /// those of the project.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub include_roots: Vec<String>,
    /// Compare the state at these points of each test, and nothing else. None: around the whole test.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub capture: Option<CapturePoints>,
    /// Write the states around the test into this directory, for people to read.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub dump: Option<String>,
    /// Initialise the classes that this file names, one in each line, before the first test.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub eager: Option<String>,
    /// Flags and counters in static fields, and the default locale, are put back before another test runs.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub undo: bool,
}

/// Which files are part of the state that tests share.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct FileScope {
    /// With all that lies in them; relative ones are below the VM's working directory. None: that one, and the VM's directory
    /// for temporary files.
    #[serde(default)]
    pub directories: Vec<String>,
    /// Entries that are not looked at: the last names of their paths, with `*` for any characters.
    #[serde(default)]
    pub ignore: Vec<String>,
    /// Larger files are not read: their size is all that counts.
    pub most_bytes: u64,
}

/// The differences between two states.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct StateChange {
    /// Shortest paths first; none is below another.
    pub differences: Vec<Difference>,
    /// How many more there are that are not listed.
    #[serde(default)]
    pub more: u64,
    /// Whether anything changed could not be found out: too many objects look alike.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub unclear: bool,
    /// Paths of differences that are put back before another test runs.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub put_back: Vec<String>,
    /// What else is not as it was, of which it is only looked whether it is: what libraries keep, by the names of their modules'
    /// attributes, and open files. It tells that a test may end otherwise when it runs again, and is no pollution.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub elsewhere: Vec<String>,
}

/// What a run left different, or that and the runs before it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct RunChange {
    /// How many runs it may have been: this one, and those that ended right before it.
    pub runs: u32,
    pub change: StateChange,
}

/// What class-level set-up and tear-down of a class left different.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ClassChange {
    pub class: String,
    pub change: StateChange,
}

impl StateChange {
    /// Takes out what is about files.
    pub fn take_files(&mut self) -> Vec<Difference> {
        let all = std::mem::take(&mut self.differences);
        let (files, rest) = all.into_iter().partition(|one| one.access == Access::File);
        self.differences = rest;
        files
    }

    pub fn append(&mut self, other: StateChange) {
        self.differences.extend(other.differences);
        self.more += other.more;
        self.unclear |= other.unclear;
        self.put_back.extend(other.put_back);
        self.add_elsewhere(other.elsewhere);
    }

    pub fn add_elsewhere(&mut self, names: Vec<String>) {
        let new: Vec<String> =
            names.into_iter().filter(|name| !self.elsewhere.contains(name)).collect();
        self.elsewhere.extend(new);
    }

    /// All that changed is listed.
    pub fn is_clear(&self) -> bool {
        self.more == 0 && !self.unclear
    }

    /// It is known that nothing changed.
    pub fn is_empty(&self) -> bool {
        self.is_clear() && self.differences.is_empty() && self.elsewhere.is_empty()
    }

    /// It is known that nothing will be different for the next test, but that something was set at some of these paths that had
    /// not been set before.
    pub fn leaves_nothing_but(&self, set: &[String]) -> bool {
        let is_harmless = |one: &Difference| {
            self.put_back.contains(&one.path) || (set.contains(&one.path) && one.was_unset())
        };
        self.is_clear() && self.elsewhere.is_empty() && self.differences.iter().all(is_harmless)
    }
}

/// One place that differs, by a path that code could take to it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Difference {
    /// Where the path starts: `com.acme.Potion.byName`, `System.getProperties()`. For a file, the directory that is looked at:
    /// `.`, `/tmp`.
    pub root: String,
    /// The whole path, with the root: `com.acme.Potion.byName["strength"].level`.
    pub path: String,
    /// Steps from the root; 0 if the root itself differs.
    pub steps: u32,
    /// The field that differs, or that holds the collection that does, by the class of the object that it is in:
    /// `com.acme.Potion.byName`. None for what is no field, or further away from one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub field: Option<String>,
    /// The first fields on the way there, named in the same way, from the root on and without it.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub through: Vec<String>,
    pub access: Access,
    pub kind: DifferenceKind,
    /// None if there was nothing.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub before: Option<String>,
    /// None if nothing is left.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub after: Option<String>,
}

impl Difference {
    /// There was nothing: no entry, a null, or a text without characters.
    pub fn was_unset(&self) -> bool {
        matches!(self.before.as_deref(), None | Some("null" | "\"\""))
    }
}

/// How a field comes to what is in it, by the code that uses it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Filling {
    /// Worked out when first asked for, the same whoever asks, and nobody looks without asking.
    OnDemand,
    /// Somebody hands it in.
    Given,
    Unknown,
}

/// Who can reach the root without reflection.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Access {
    /// A file, and no object of the VM.
    File,
    /// A setting of the process, which everything in it depends on.
    Process,
    Public,
    Protected,
    Package,
    Private,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum DifferenceKind {
    /// Another value, or an object of another class.
    Value,
    Added,
    Removed,
    /// Other elements in an array of primitives.
    Content,
    /// The same members in another order.
    Order,
    /// Two paths that led to one object lead to two, or the other way round.
    Sharing,
    /// A file that was written, and is what it was. No difference by itself, but it tells who writes the file.
    Rewritten,
}

/// Differences that are not findings, by the rule or the reason why not.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Suppressed {
    pub rule: String,
    pub reason: String,
    /// The root of each, with the tests that change it.
    pub roots: BTreeMap<String, BTreeSet<TestId>>,
}
