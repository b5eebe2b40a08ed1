//! Tests that rely on the hash codes that a VM gives to objects.
//!
//! "This integer need not remain consistent from one execution of an application to another execution of the same
//! application." "It is not required that if two objects are unequal […], then calling the hashCode method on each of the two
//! objects must produce distinct integer results." (`java.lang.Object.hashCode`) So a VM may count, and at level FULL all
//! objects have the same. That is chosen for a whole VM as it starts: nobody sees who asks, and there is nothing to narrow.
//!
//! The same goes for `id` of Python: "an integer which is guaranteed to be unique and constant for this object during its lifetime".

use std::collections::BTreeMap;

use surefoot_model::choice::{IDENTITY_HASH, OBJECT_ID};
use surefoot_model::{
    Choosing, Confidence, Evidence, Finding, FindingKind, IdentityHash, Level, RunResult, TestId,
    Thrown, Watch,
};

use super::{CONFIRMATIONS, MOST_SUSPECTS};
use crate::shell::quoted;

#[derive(Debug, Default)]
pub(super) struct HashCodes {
    suspects: BTreeMap<TestId, Suspect>,
}

/// A test that failed with other hash codes.
#[derive(Debug, Clone)]
struct Suspect {
    /// The least unusual that it failed with.
    hash: IdentityHash,
    /// Failed alone with these, and passed alone with the usual ones, so many times.
    fails: u32,
    passes: u32,
    failure: Option<String>,
}

/// Those that a level allows.
pub(super) fn allowed(level: Level, of_python: bool) -> &'static [IdentityHash] {
    match level {
        _ if of_python => &[IdentityHash::Moved],
        // That different objects have the same is allowed, but "as far as is reasonably practical" they do not.
        Level::Full => &[IdentityHash::Counted, IdentityHash::Same],
        Level::Id | Level::Eq | Level::One => &[IdentityHash::Counted],
    }
}

impl HashCodes {
    /// How a test ended among others.
    pub(super) fn among_others(&mut self, test: TestId, hash: IdentityHash, result: &RunResult) {
        if !fails_by_itself(result) {
            return;
        }
        let room = self.suspects.len() < MOST_SUSPECTS;
        match self.suspects.get_mut(&test) {
            Some(suspect) => suspect.hash = suspect.hash.min(hash),
            None if room => {
                let suspect = Suspect { hash, fails: 0, passes: 0, failure: None };
                self.suspects.insert(test, suspect);
            }
            None => {}
        }
    }

    pub(super) fn suspects(&self) -> Vec<(TestId, IdentityHash)> {
        self.suspects.iter().map(|(test, suspect)| (test.clone(), suspect.hash)).collect()
    }

    /// How a suspect ended alone, with its hash codes or with the usual ones.
    pub(super) fn alone(&mut self, test: &TestId, with: bool, result: &RunResult) {
        let Some(suspect) = self.suspects.get_mut(test) else { return };
        if !with {
            suspect.passes += u32::from(result.passed());
        } else if fails_by_itself(result) {
            suspect.fails += 1;
            suspect.failure = result.reason();
        }
    }

    pub(super) fn unconfirmed(&self) -> impl Iterator<Item = &TestId> {
        let unconfirmed = self.suspects.iter().filter(|(_, suspect)| !suspect.is_confirmed());
        unconfirmed.map(|(test, _)| test)
    }

    /// One for each class and kind of hash codes: who asked for one is not known.
    pub(super) fn findings(&self, watch: &Watch, choosing: &Choosing) -> Vec<Finding> {
        let mut by_class: BTreeMap<(&str, &str), Vec<(&TestId, &Suspect)>> = BTreeMap::new();
        for (test, suspect) in self.suspects.iter().filter(|(_, one)| one.is_confirmed()) {
            let class = watch.tests.get(test).map_or("", |test| test.class.as_str());
            by_class.entry((class, suspect.hash.name())).or_default().push((test, suspect));
        }
        by_class
            .into_iter()
            .map(|((class, _), tests)| finding(class, &tests, choosing.clone()))
            .collect()
    }
}

impl Suspect {
    fn is_confirmed(&self) -> bool {
        self.fails == CONFIRMATIONS && self.passes == CONFIRMATIONS
    }
}

/// Not by taking long: hash tables are slow where all objects have the same hash code.
fn fails_by_itself(result: &RunResult) -> bool {
    let is_late = |thrown: &Thrown| {
        let message = thrown.message.as_deref().unwrap_or_default();
        thrown.class.contains("Timeout")
            || thrown.class.contains("TimedOut")
            || message.contains("timed out")
            || message.contains("timeout")
    };
    matches!(result, RunResult::Failed { thrown } if !is_late(thrown))
}

fn finding(class: &str, tests: &[(&TestId, &Suspect)], choosing: Choosing) -> Finding {
    let (first, suspect) = tests[0];
    let confirmed = CONFIRMATIONS * u32::try_from(tests.len()).unwrap_or(u32::MAX);
    let (verdict, numbers, fix) = words(suspect.hash);
    let failure = suspect.failure.clone().map(|text| Evidence { label: "failure".into(), text });
    let (model, label) = match suspect.hash {
        IdentityHash::Counted | IdentityHash::Same => (IDENTITY_HASH, "hash codes"),
        IdentityHash::Moved => (OBJECT_ID, "ids"),
    };
    let numbers = Evidence { label: label.to_owned(), text: numbers.to_owned() };
    Finding {
        kind: FindingKind::Assumption,
        tests: tests.iter().map(|(test, _)| (*test).clone()).collect(),
        verdict: verdict.to_owned(),
        confidence: Confidence { seen: confirmed, of: confirmed },
        evidence: [numbers].into_iter().chain(failure).collect(),
        reproduce: format!(
            "surefoot assumptions {} --level {} --only {model}",
            quoted(first.as_str()),
            choosing.level
        ),
        fix: fix.to_owned(),
        cause: format!("{model} ({}) in {class}", suspect.hash.name()),
        choosing: Some(Choosing { identity_hash: Some(suspect.hash), ..choosing.nothing() }),
    }
}

fn words(hash: IdentityHash) -> (&'static str, &'static str, &'static str) {
    match hash {
        IdentityHash::Counted => (
            "fails when objects have other hash codes than usual",
            "Object.hashCode and System.identityHashCode return 1, 2, 3 and so on, in the whole VM (-XX:hashCode=3)",
            "give the class a hashCode and a toString of its own, or do not rely on the numbers that the VM makes up",
        ),
        IdentityHash::Same => (
            "fails when all objects have the hash code 1",
            "Object.hashCode and System.identityHashCode return 1 for every object, in the whole VM (-XX:hashCode=2)",
            "tell objects apart by == or equals, as different ones may have the same hash code, and do not rely on what number it is",
        ),
        IdentityHash::Moved => (
            "fails when objects have other ids than usual",
            "id and hashes by identity follow from where an object lies; here objects that are made later mostly lie lower, in the whole process",
            "sort by something that the objects hold, give the class a __hash__ or a __repr__ of its own, or do not rely on the numbers",
        ),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_test_that_only_takes_longer_is_no_suspect() {
        let failed = |class: &str, message: &str| RunResult::Failed {
            thrown: Thrown {
                class: class.into(),
                message: Some(message.into()),
                ..Thrown::default()
            },
        };
        let mut hash_codes = HashCodes::default();
        for result in [
            failed("org.junit.runners.model.TestTimedOutException", "test"),
            failed("java.util.concurrent.TimeoutException", "slow() took longer"),
            failed("org.opentest4j.AssertionFailedError", "execution timed out after 100 ms"),
            RunResult::TimedOut { limit_ms: 30_000 },
        ] {
            hash_codes.among_others("A#1".into(), IdentityHash::Same, &result);
        }
        assert_eq!(hash_codes.suspects(), []);
        let result = failed("java.lang.AssertionError", "expected: <1> but was: <2>");
        hash_codes.among_others("A#1".into(), IdentityHash::Same, &result);
        assert_eq!(hash_codes.suspects(), [("A#1".into(), IdentityHash::Same)]);
    }
}
