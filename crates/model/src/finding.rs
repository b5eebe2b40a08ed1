//! What a user is told: one data model that every report is drawn from.

use serde::{Deserialize, Serialize};

use crate::{Choosing, Fingerprint, TestId};

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Finding {
    pub kind: FindingKind,
    /// All tests that share the cause; never empty.
    pub tests: Vec<TestId>,
    /// The verdict in one sentence.
    pub verdict: String,
    pub confidence: Confidence,
    pub evidence: Vec<Evidence>,
    /// The command that shows it again.
    pub reproduce: String,
    /// What to do about it, in the user's terms.
    pub fix: String,
    /// What makes this finding the same one in the next run; see [`Finding::fingerprint`].
    pub cause: String,
    /// What was chosen when the first test failed, where it takes that to see it again.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub choosing: Option<Choosing>,
}

/// Worst first: the order in which reports show them.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum FindingKind {
    /// Passes and fails in experiments that are the same.
    Flaky,
    /// Fails when something happens that a specification allows but that is not usual.
    Assumption,
    /// Passes, and fails when it runs again in the same VM.
    Nio,
    /// Fails alone and passes after other tests.
    Brittle,
    /// Passes alone and fails after other tests.
    Victim,
    /// Leaves the state that tests share changed.
    Pollution,
}

impl FindingKind {
    pub fn name(self) -> &'static str {
        match self {
            FindingKind::Flaky => "flaky",
            FindingKind::Assumption => "assumption",
            FindingKind::Nio => "nio",
            FindingKind::Brittle => "brittle",
            FindingKind::Victim => "victim",
            FindingKind::Pollution => "pollution",
        }
    }
}

/// How often the finding was seen, each time in a VM of its own.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Confidence {
    pub seen: u32,
    pub of: u32,
}

/// One observation, in words for people and a label for machines.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Evidence {
    pub label: String,
    pub text: String,
}

/// A test of which something is to be said, and yet no finding.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Remark {
    pub test: TestId,
    /// In a word or two: `failing`.
    pub verdict: String,
    /// Why, in one line.
    pub text: String,
}

impl Finding {
    /// The same for the same cause in the same tests, whatever else was seen around it.
    pub fn fingerprint(&self) -> Fingerprint {
        // Which of them comes first says nothing.
        let mut tests: Vec<&str> = self.tests.iter().map(TestId::as_str).collect();
        tests.sort_unstable();
        Fingerprint::of([self.kind.name(), self.cause.as_str()].into_iter().chain(tests))
    }
}
