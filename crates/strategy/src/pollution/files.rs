//! Files that tests leave changed.
//!
//! A file outlives its VM: what a test made when it was watched is there when it runs again, and nobody but the user may
//! delete it. So "again" means that the same test writes the same path again, whatever is there by then. While that is looked
//! at, no other test runs: whose file it is could not be told.

use std::collections::{BTreeMap, BTreeSet};

use surefoot_model::{
    Confidence, Difference, DifferenceKind, Evidence, Finding, FindingKind, Framework, RunResult,
    TestId,
};

use super::rules::Rules;
use super::{CONFIRMATIONS, MOST_PLACES, words};
use crate::shell::quoted;

/// Nothing shorter is looked for in a message: it could be in any.
const SHORTEST_NAME: usize = 4;

#[derive(Debug, Default)]
pub(super) struct FileLooks {
    first: BTreeMap<TestId, First>,
    later: BTreeMap<TestId, Vec<Later>>,
}

/// What changed when a test was first looked at.
#[derive(Debug, Default)]
struct First {
    differences: Vec<Difference>,
    /// And nobody else can have done it.
    alone: bool,
}

/// What changed when it ran again.
#[derive(Debug)]
struct Later {
    differences: Vec<Difference>,
    failure: Option<String>,
}

/// What running the test again showed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Standing {
    /// It writes the same path each time.
    Again,
    /// It makes a file with another name each time.
    FreshName,
    Once,
}

/// Files of one directory that the same tests leave changed in the same way.
#[derive(Debug)]
struct Left<'a> {
    places: Vec<&'a Difference>,
    tests: BTreeSet<&'a TestId>,
    /// How the test ended that met its own file.
    failure: Option<&'a str>,
    /// What other tests left in a directory that is left behind itself.
    more_in_it: usize,
}

impl FileLooks {
    /// A first look at a test, or at several together.
    pub(super) fn first(&mut self, test: &TestId, differences: Vec<Difference>, alone: bool) {
        let first = self.first.entry(test.clone()).or_default();
        first.alone |= alone;
        first.differences.extend(differences);
    }

    /// It ran again, and no other test meanwhile.
    pub(super) fn again(&mut self, test: TestId, differences: Vec<Difference>, result: &RunResult) {
        let known = self.first.get(&test).is_some_and(|first| !first.differences.is_empty());
        if !known {
            return self.first(&test, differences, true);
        }
        let failure = result.reason();
        self.later.entry(test).or_default().push(Later { differences, failure });
    }

    /// Whether anything is in it that is worth a second look.
    pub(super) fn is_worth_a_look(differences: &[Difference], rules: &Rules) -> bool {
        differences.iter().any(|one| is_candidate(one, rules))
    }

    /// Tests that must run again before anything can be said.
    pub(super) fn suspects(&self, rules: &Rules) -> Vec<TestId> {
        let suspects = self.first.iter().filter(|(test, first)| {
            let later = self.later(test);
            first
                .differences
                .iter()
                .any(|one| is_candidate(one, rules) && standing(one, later, 0) != Standing::Once)
        });
        suspects.map(|(test, _)| test.clone()).collect()
    }

    pub(super) fn findings(
        &self,
        rules: &Rules,
        tear_down: impl Fn(&TestId) -> &'static str,
    ) -> Vec<Finding> {
        let mut left: BTreeMap<&str, Left<'_>> = BTreeMap::new();
        for (test, one, later) in self.all(rules) {
            if standing(one, later, CONFIRMATIONS as usize) == Standing::Again {
                let path = left.entry(&one.path).or_insert_with(|| Left {
                    places: vec![one],
                    tests: BTreeSet::new(),
                    failure: None,
                    more_in_it: 0,
                });
                path.tests.insert(test);
                let failures = later.iter().filter(|look| !shows(look, one));
                path.failure = path
                    .failure
                    .or_else(|| failures.filter_map(|look| look.failure.as_deref()).next());
            }
        }
        let mut grouped: BTreeMap<_, Left<'_>> = BTreeMap::new();
        for path in without_what_lies_below(left) {
            let kind = path.places[0].kind;
            let key = (path.tests.clone(), parent(&path.places[0].path), kind, path.failure);
            match grouped.get_mut(&key) {
                Some(group) => group.places.extend(path.places),
                None => drop(grouped.insert(key, path)),
            }
        }
        grouped.into_values().map(|left| self.finding(&left, &tear_down)).collect()
    }

    /// What is no finding: the name and the reason of a rule, a path, a test.
    pub(super) fn suppressed<'a>(
        &'a self,
        rules: &'a Rules,
    ) -> impl Iterator<Item = (&'a str, &'a str, &'a str, &'a TestId)> {
        let by_rules = self.first.iter().flat_map(move |(test, first)| {
            first.differences.iter().filter_map(move |one| {
                let (rule, reason) = rules.suppresses(one)?;
                (one.kind != DifferenceKind::Rewritten).then_some((rule, reason, &*one.path, test))
            })
        });
        let by_looks = self.all(rules).filter_map(|(test, one, later)| {
            let (rule, reason, place) = match standing(one, later, CONFIRMATIONS as usize) {
                Standing::Again => return None,
                Standing::FreshName => (
                    "fresh-name",
                    "a file with another name each time: no other test meets it, but it stays",
                    &one.path,
                ),
                Standing::Once if !self.first[test].alone => return None,
                Standing::Once => (
                    "once",
                    "a file that the test did not write when it ran again; another program may have",
                    // Of what others do in a directory that they share, each file is of no interest.
                    if one.root == "." { &one.path } else { &one.root },
                ),
            };
            Some((rule, reason, place.as_str(), test))
        });
        by_rules.chain(by_looks)
    }

    /// What no rule suppresses, with what was seen later.
    fn all<'a>(
        &'a self,
        rules: &'a Rules,
    ) -> impl Iterator<Item = (&'a TestId, &'a Difference, &'a [Later])> {
        self.first.iter().flat_map(move |(test, first)| {
            let candidates = first.differences.iter().filter(|one| is_candidate(one, rules));
            candidates.map(move |one| (test, one, self.later(test)))
        })
    }

    fn later(&self, test: &TestId) -> &[Later] {
        self.later.get(test).map_or(&[], Vec::as_slice)
    }

    fn finding(&self, left: &Left<'_>, tear_down: impl Fn(&TestId) -> &'static str) -> Finding {
        let tests: Vec<TestId> = left.tests.iter().map(|test| (*test).clone()).collect();
        let first = left.places[0];
        let looks: usize = left.tests.iter().map(|test| 1 + self.later(test).len()).sum();
        let looks = u32::try_from(looks).unwrap_or(u32::MAX);
        let what = match left.places.len() {
            1 => first.path.clone(),
            several => format!("{several} files in {}", parent(&first.path)),
        };
        let evidence = |label: &str, text| Evidence { label: label.to_owned(), text };
        let places = left.places.iter().take(MOST_PLACES);
        let mut all: Vec<Evidence> = places.map(|place| evidence("file", words(place))).collect();
        if left.places.len() > MOST_PLACES {
            let more = left.places.len() - MOST_PLACES;
            all.push(evidence("more", format!("and {more} more files")));
        }
        if left.more_in_it > 0 {
            all.push(evidence("more", format!("and {} more in it later", left.more_in_it)));
        }
        if let Some(failure) = left.failure {
            let text = format!("fails where it is there already: {failure}");
            all.insert(0, evidence("failure", text));
        }
        Finding {
            kind: FindingKind::Pollution,
            verdict: match first.kind {
                DifferenceKind::Added => format!("leaves {what} behind"),
                DifferenceKind::Removed => format!("removes {what}"),
                _ => format!("leaves {what} changed"),
            },
            confidence: Confidence { seen: looks, of: looks },
            evidence: all,
            reproduce: format!("surefoot pollution {}", quoted(tests[0].as_str())),
            fix: fix(first.kind, tear_down(&tests[0])),
            cause: format!("file {}", first.path),
            choosing: None,
            tests,
        }
    }
}

/// A directory that is left behind is taken away with all that others put there.
fn without_what_lies_below<'a>(left: BTreeMap<&str, Left<'a>>) -> Vec<Left<'a>> {
    let mut kept: BTreeMap<&str, Left<'a>> = BTreeMap::new();
    for (path, one) in left {
        let above = path.rmatch_indices('/').find_map(|(end, _)| {
            let above = kept.get(&path[..end])?;
            let place = above.places[0];
            let is_new = place.kind == DifferenceKind::Added;
            let is_directory = place.after.as_deref().is_some_and(|it| it.starts_with("directory"));
            (is_new && is_directory).then_some(&path[..end])
        });
        match above.and_then(|above| kept.get_mut(above)) {
            Some(above) => {
                above.tests.extend(one.tests);
                above.more_in_it += 1;
            }
            None => drop(kept.insert(path, one)),
        }
    }
    kept.into_values().collect()
}

fn is_candidate(difference: &Difference, rules: &Rules) -> bool {
    difference.kind != DifferenceKind::Rewritten && rules.suppresses(difference).is_none()
}

/// Every look must show it, and there must be so many.
fn standing(first: &Difference, later: &[Later], least: usize) -> Standing {
    let fails_for_it = |look: &Later| {
        let name = first.path.rsplit('/').next().unwrap_or(&first.path);
        first.kind == DifferenceKind::Added
            && name.len() >= SHORTEST_NAME
            && look.failure.as_ref().is_some_and(|failure| failure.contains(name))
    };
    let fresh = |look: &Later| {
        first.kind == DifferenceKind::Added
            && look.differences.iter().any(|one| {
                one.kind == DifferenceKind::Added && pattern(&one.path) == pattern(&first.path)
            })
    };
    if later.len() < least {
        Standing::Once
    } else if later.iter().all(|look| shows(look, first) || fails_for_it(look)) {
        Standing::Again
    } else if later.iter().all(fresh) {
        Standing::FreshName
    } else {
        Standing::Once
    }
}

/// The path, or something below it if it is a directory, was written again.
fn shows(look: &Later, first: &Difference) -> bool {
    look.differences.iter().any(|one| {
        let below = one.path.strip_prefix(&first.path);
        let is_there = below.is_some_and(|rest| rest.is_empty() || rest.starts_with('/'));
        is_there && (one.kind == DifferenceKind::Removed) == (first.kind == DifferenceKind::Removed)
    })
}

/// A name with `*` for what a generator of fresh names would fill in: `junit*.tmp`.
fn pattern(path: &str) -> String {
    /// Shorter numbers are part of a name that somebody thought of.
    const SHORTEST: usize = 5;
    let mut pattern = String::new();
    let mut run = String::new();
    for c in path.chars().chain(['/']) {
        if c.is_ascii_hexdigit() || c == '-' && !run.is_empty() {
            run.push(c);
            continue;
        }
        if run.len() >= SHORTEST && run.contains(|c: char| c.is_ascii_digit()) {
            pattern.push('*');
        } else {
            pattern.push_str(&run);
        }
        run.clear();
        pattern.push(c);
    }
    pattern
}

fn parent(path: &str) -> &str {
    match path.rsplit_once('/') {
        Some(("", _)) => "/",
        Some((parent, _)) => parent,
        None => ".",
    }
}

fn fix(kind: DifferenceKind, tear_down: &str) -> String {
    let is_python = tear_down == Framework::Pytest.tear_down();
    let temporary = match tear_down {
        "@AfterEach" => "@TempDir",
        "@After" => "the rule TemporaryFolder",
        _ if is_python => "tmp_path",
        _ => "a directory that the test makes and deletes",
    };
    match kind {
        DifferenceKind::Added if is_python => {
            format!("write to {temporary}, or delete it in {tear_down}")
        }
        DifferenceKind::Added => format!(
            "write to {temporary}, or delete it in {tear_down}; deleteOnExit leaves it there until the VM ends"
        ),
        DifferenceKind::Removed => format!("work on a copy in {temporary}"),
        _ => format!("work on a copy in {temporary}, or put it back in {tear_down}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pollution::samples::file;
    use surefoot_model::Thrown;

    fn failed(message: &str) -> RunResult {
        let thrown = Thrown { message: Some(message.to_owned()), ..Thrown::default() };
        RunResult::Failed { thrown }
    }

    /// Verdicts with the tests, and the rules that kept others from being told.
    fn judged(
        first: &[(&str, DifferenceKind)],
        later: &[&[(&str, DifferenceKind)]],
        result: &RunResult,
    ) -> (Vec<String>, Vec<String>) {
        let differences = |all: &[(&str, DifferenceKind)]| -> Vec<Difference> {
            all.iter().map(|(path, kind)| file(path, *kind)).collect()
        };
        let (rules, test) = (Rules::new(&[], &[]).unwrap(), TestId::from("A#1"));
        let mut looks = FileLooks::default();
        looks.first(&test, differences(first), true);
        for look in later {
            looks.again(test.clone(), differences(look), result);
        }
        let findings = looks.findings(&rules, |_| "@After").into_iter();
        let suppressed =
            looks.suppressed(&rules).map(|(rule, _, path, _)| format!("{rule} {path}"));
        (findings.map(|finding| finding.verdict).collect(), suppressed.collect())
    }

    use DifferenceKind::{Added, Content, Removed, Rewritten};

    #[test]
    fn what_the_test_writes_each_time_is_a_finding_also_if_it_is_the_same_by_then() {
        for (kind, again, verdict) in [
            (Added, Rewritten, "leaves x.txt behind"),
            (Added, Content, "leaves x.txt behind"),
            (Content, Rewritten, "leaves x.txt changed"),
            (Removed, Removed, "removes x.txt"),
        ] {
            let again: &[_] = &[("x.txt", again)];
            let (found, rest) = judged(&[("x.txt", kind)], &[again, again], &RunResult::Passed);
            assert_eq!((found, rest), (vec![verdict.to_owned()], vec![]));
        }
    }

    #[test]
    fn a_directory_is_left_behind_if_something_in_it_is_written_again() {
        let again: &[_] = &[("made/by/test", Rewritten)];
        let (found, _) = judged(&[("made", Added)], &[again, again], &RunResult::Passed);
        assert_eq!(found, ["leaves made behind"]);
        let again: &[_] = &[("made-up", Rewritten)];
        let (found, rest) = judged(&[("made", Added)], &[again, again], &RunResult::Passed);
        assert_eq!((found, rest), (vec![], vec!["once made".to_owned()]));
    }

    #[test]
    fn what_did_not_show_each_time_may_have_been_another_program() {
        let again: &[_] = &[("/tmp/x", Content)];
        let looks: &[&[&[_]]] = &[&[again, &[]], &[again], &[]];
        for later in looks {
            let (found, rest) = judged(&[("/tmp/x", Added)], later, &RunResult::Passed);
            assert_eq!((found, rest), (vec![], vec!["once /tmp".to_owned()]), "{later:?}");
        }
    }

    #[test]
    fn a_file_with_another_name_each_time_is_told_apart() {
        let looks: [&[_]; 2] = [&[("/tmp/shop98765.db", Added)], &[("/tmp/shop445566.db", Added)]];
        let (found, rest) = judged(&[("/tmp/shop12345.db", Added)], &looks, &RunResult::Passed);
        assert_eq!((found, rest), (vec![], vec!["fresh-name /tmp/shop12345.db".to_owned()]));
    }

    #[test]
    fn a_test_that_fails_over_its_own_file_left_it_behind() {
        let failure = failed("once.lock");
        let (found, _) = judged(&[("once.lock", Added)], &[&[], &[]], &failure);
        assert_eq!(found, ["leaves once.lock behind"]);
        let (found, _) = judged(&[("once.lock", Added)], &[&[], &[]], &failed("no such thing"));
        assert_eq!(found, [] as [&str; 0]);
    }

    #[test]
    fn what_others_put_into_a_directory_that_is_left_behind_is_the_same_finding() {
        let rules = Rules::new(&[], &[]).unwrap();
        let mut looks = FileLooks::default();
        let directory =
            || Difference { after: Some("directory with 1 entry".into()), ..file("made", Added) };
        for (test, first) in [
            ("A#1", directory()),
            ("A#2", file("made/by/a", Added)),
            ("A#3", file("made-up", Added)),
            ("A#4", file("made/there", Content)),
        ] {
            let test = TestId::from(test);
            let again = Difference { kind: Rewritten, ..first.clone() };
            looks.first(&test, vec![first], true);
            looks.again(test.clone(), vec![again.clone()], &RunResult::Passed);
            looks.again(test, vec![again], &RunResult::Passed);
        }
        let findings = looks.findings(&rules, |_| "@After");
        let told: Vec<(&str, usize)> =
            findings.iter().map(|one| (one.verdict.as_str(), one.tests.len())).collect();
        assert_eq!(told, [("leaves made behind", 3), ("leaves made-up behind", 1)]);
        assert_eq!(findings[0].evidence[1].text, "and 2 more in it later");
    }

    #[test]
    fn files_of_one_directory_are_one_finding() {
        let first = [("d/a", Added), ("d/b", Added), ("e/c", Added), ("d/x", Content)];
        let again: &[_] =
            &[("d/a", Rewritten), ("d/b", Rewritten), ("e/c", Rewritten), ("d/x", Content)];
        let (found, _) = judged(&first, &[again, again], &RunResult::Passed);
        assert_eq!(
            found,
            ["leaves 2 files in d behind", "leaves d/x changed", "leaves e/c behind"]
        );
    }

    #[test]
    fn names_that_somebody_thought_of_are_no_patterns() {
        for (path, pattern) in [
            ("/tmp/junit8812345678/x", "/tmp/junit*/x/"),
            ("/tmp/f3b2c1d0-aaaa-4bbb-8ccc-0123456789ab.txt", "/tmp/*.txt/"),
            ("data/2024/report1.txt", "data/2024/report1.txt/"),
            ("data/facade.txt", "data/facade.txt/"),
        ] {
            assert_eq!(super::pattern(path), pattern);
        }
    }
}
