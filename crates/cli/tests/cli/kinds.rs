//! Every kind of test of every framework: seen as Surefire reports it, and with the same result when run again.

use std::collections::BTreeSet;
use std::ffi::OsString;
use std::fs;
use std::path::Path;
use std::process::Command;

use serde_json::Value;

use crate::support::{Ended, Project, root};

/// Tests that may end otherwise when they run again, and why that is right, or not yet better.
pub(crate) struct Exception {
    /// The test's id begins so.
    test: &'static str,
    /// With these options of `surefoot run`.
    ways: &'static [&'static [&'static str]],
    /// How it may end then, besides as watched.
    now: &'static str,
    #[expect(dead_code, reason = "for the reader of the list")]
    why: &'static str,
}

const AS_SEEN: &[&str] = &[];
const TWICE: &[&str] = &["--repeat", "2"];
const REVERSED: &[&str] = &["--order", "reverse"];
const BY_CLASS: &[&str] = &["--fresh-vm-per", "class"];
pub(crate) const WAYS: &[&[&str]] = &[AS_SEEN, TWICE, REVERSED, BY_CLASS];

/// A test that did not end as watched.
struct Differing {
    test: String,
    watched: String,
    now: Vec<String>,
}

impl Differing {
    fn is(&self, exception: &Exception, way: &[&str]) -> bool {
        self.test.starts_with(exception.test)
            && exception.ways.contains(&way)
            && self.now.iter().all(|now| *now == self.watched || now == exception.now)
    }
}

/// Watches the project with Maven and compares with expected.json and with Surefire's own reports.
fn watched(kind: &str) -> Project {
    let project = Project::copy_of(kind);
    project.run(&["watch", "--", "mvn", "-q", "-B", "test"]).expect(0);
    let table = Command::new(root().join("scripts/surefire-diff.py"))
        .args(["--table", "target/surefire-reports"])
        .current_dir(project.path())
        .output()
        .unwrap();
    let expected = fs::read_to_string(project.path().join("expected.json")).unwrap();
    assert_eq!(
        String::from_utf8_lossy(&table.stdout),
        expected,
        "Surefire itself saw something else"
    );
    project
}

/// What surefire-diff.py has to say; it is silent on tests that both saw with the same result.
pub(crate) fn difference(project: &Project, reports: &str) -> String {
    let tests = project.run(&["tests", "--format", "json"]);
    let file = project.beside("tests.json");
    fs::write(&file, &tests.expect(0).stdout).unwrap();
    let output = Command::new(root().join("scripts/surefire-diff.py"))
        .args([reports, "--"])
        .arg(&file)
        .current_dir(project.path())
        .output()
        .unwrap();
    assert!(output.stderr.is_empty(), "{}", String::from_utf8_lossy(&output.stderr));
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    let (differences, agree) = text.trim_end().rsplit_once('\n').unwrap_or(("", text.trim_end()));
    assert!(agree.ends_with(" tests agree") && agree != "0 tests agree", "{text}");
    differences.to_owned()
}

/// Runs all tests again in all ways. A test may end otherwise only if the list says so, and nothing new is left in the
/// project: reports, which a framework writes on its own, are the build's.
pub(crate) fn run_in_all_ways(project: &Project, exceptions: &[Exception]) {
    let files = names_in(project.path());
    let mut wrong = Vec::new();
    for way in WAYS {
        let ended = project.run(&[&["run", "--format", "json"], *way].concat());
        for Differing { test, watched, now } in differing(&ended)
            .into_iter()
            .filter(|one| !exceptions.iter().any(|exception| one.is(exception, way)))
        {
            wrong.push(format!("surefoot run {}: {test}: {watched} → {now:?}", way.join(" ")));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert_eq!(names_in(project.path()), files);
}

fn names_in(directory: &Path) -> BTreeSet<OsString> {
    fs::read_dir(directory).unwrap().map(|entry| entry.unwrap().file_name()).collect()
}

fn differing(ended: &Ended) -> Vec<Differing> {
    let text = |value: &Value| value.as_str().unwrap_or("none").to_owned();
    let report = ended.json();
    let tests = report["tests"].as_array().unwrap();
    let differing: Vec<Differing> = tests
        .iter()
        .filter(|test| test["standing"] != "as-watched")
        .map(|test| Differing {
            test: text(&test["test"]),
            watched: text(&test["watched"]["status"]),
            now: test["runs"].as_array().unwrap().iter().map(|run| text(&run["status"])).collect(),
        })
        .collect();
    ended.expect(if differing.is_empty() { 0 } else { 1 });
    differing
}

#[test]
fn every_kind_of_junit4_test_is_seen_and_runs_again() {
    let project = watched("every-kind-junit4");
    assert_eq!(difference(&project, "target/surefire-reports"), "");
    run_in_all_ways(&project, JUNIT4);
}

#[test]
fn every_kind_of_jupiter_test_is_seen_and_runs_again() {
    let project = watched("every-kind-jupiter");
    assert_eq!(difference(&project, "target/surefire-reports"), "");
    run_in_all_ways(&project, JUPITER);
}

#[test]
fn every_kind_of_testng_test_is_seen_and_runs_again() {
    let project = watched("every-kind-testng");
    // Set-up and tear-down that failed: Surefire lists them among the tests.
    insta::assert_snapshot!(difference(&project, "target/surefire-reports"), @r#"
    only in xml:
      kinds.AfterMethodFailsTest "fails" skipped
      kinds.BeforeClassFailsTest "isSkipped" skipped
      kinds.BeforeClassFailsTest "isSkippedToo" skipped
      kinds.BeforeClassSkipsTest "skips" skipped
      kinds.BeforeMethodFailsTest "fails" skipped
    "#);
    run_in_all_ways(&project, TESTNG);
}

#[test]
fn every_kind_of_junit3_test_is_seen_and_runs_again() {
    let project = watched("every-kind-junit3");
    assert_eq!(difference(&project, "target/surefire-reports"), "");
    run_in_all_ways(&project, JUNIT3);
}

const JUNIT4: &[Exception] = &[Exception {
    test: "kinds.BeforeClassAbortsTest#neverRuns",
    ways: &[TWICE],
    now: "not-run",
    why: "the class is skipped as a whole, which JUnit 4 says once",
}];

const JUPITER: &[Exception] = &[Exception {
    test: "kinds.PerClassTest#",
    ways: &[TWICE, REVERSED],
    now: "failed",
    why: "its tests count their runs in the instance that they share",
}];

const TESTNG: &[Exception] = &[
    Exception {
        test: "kinds.DependenciesTest#",
        ways: &[TWICE, REVERSED],
        now: "not-run",
        why: "TestNG runs it only after what it depends on, in the same <test>; repeated rows of a data provider take several",
    },
    Exception {
        test: "kinds.AfterMethodFailsTest#one",
        ways: &[TWICE, REVERSED],
        now: "skipped",
        why: "TestNG skips the tests of a class after an @AfterMethod of it that failed",
    },
    Exception {
        test: "kinds.AfterMethodFailsTest#two",
        ways: &[REVERSED],
        now: "passed",
        why: "it comes first then",
    },
];

const JUNIT3: &[Exception] = &[Exception {
    test: "kinds.SuiteMethodTest$Named#",
    ways: WAYS,
    now: "not-run",
    why: "made by a suite() method, which JUnit 3 does not say, under names that are no methods",
}];
