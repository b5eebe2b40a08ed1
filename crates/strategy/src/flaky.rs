//! Tests that pass and fail in experiments that are the same.

use surefoot_model::{Confidence, Evidence, Finding, FindingKind, RunResult, TestId};

use crate::shell::quoted;

/// How a test ended in runs that should all end the same.
#[derive(Debug)]
pub(crate) struct Alike<'a> {
    /// For machines.
    pub(crate) label: String,
    /// What is the same for all of them, for people: `alone in a fresh VM`.
    pub(crate) setting: String,
    pub(crate) results: Vec<&'a RunResult>,
}

impl Alike<'_> {
    pub(crate) fn is_mixed(&self) -> bool {
        self.results.iter().any(|result| result.passed())
            && self.results.iter().any(|result| result.is_bad())
    }

    pub(crate) fn words(&self) -> String {
        let passed = self.results.iter().filter(|result| result.passed()).count();
        format!("{} it passed {passed} of {} times", self.setting, self.results.len())
    }
}

/// A finding if a test both passes and fails in one and the same setting.
pub(crate) fn flaky(test: &TestId, settings: &[Alike<'_>]) -> Option<Finding> {
    if !settings.iter().any(Alike::is_mixed) {
        return None;
    }
    let all = || settings.iter().flat_map(|alike| alike.results.iter().copied());
    let bad: Vec<&RunResult> = all().filter(|result| result.is_bad()).collect();
    let mut evidence: Vec<Evidence> = Vec::new();
    let reason = bad.iter().find_map(|result| result.reason());
    evidence.extend(reason.map(|text| Evidence { label: "failure".to_owned(), text }));
    for alike in settings {
        evidence.push(Evidence { label: alike.label.clone(), text: alike.words() });
    }
    Some(Finding {
        kind: FindingKind::Flaky,
        tests: vec![test.clone()],
        verdict: "passes and fails in experiments that are the same".to_owned(),
        confidence: Confidence { seen: bad.len() as u32, of: all().count() as u32 },
        evidence,
        reproduce: format!("surefoot run {} --fresh-vm-per test --rounds 20", quoted(test.as_str())),
        fix: "look for what differs from run to run: random values, the clock, threads, the order of a hash".to_owned(),
        cause: test.0.clone(),
        choosing: None,
    })
}
