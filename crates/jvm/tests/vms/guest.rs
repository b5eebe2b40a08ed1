//! The agent is a guest: it keeps to what it is told, shows no more than there is, and survives what tests do to their VM.

use std::fs;
use std::time::Duration;

use surefoot_jvm::inject;
use surefoot_model::{ClassSetup, Death, Settings, TestId, VmEnd, Watch};
use surefoot_scheduler::Report;

use crate::frameworks::{CONSOLE, JUNIT4_JARS};
use crate::support::{self, Place};

const JDK: u32 = 17;
const JUNIT4_CONSOLE: &[&str] =
    &["junit-4.13.2.jar", "hamcrest-core-1.3.jar", "junit-platform-console-standalone-1.13.4.jar"];

/// Arguments that run these classes with JUnit 4.
fn junit4(classes: &[&str]) -> Vec<String> {
    let path = support::class_path(JUNIT4_JARS);
    let start = ["-cp", &path, "org.junit.runner.JUnitCore"];
    start.iter().chain(classes).map(|word| (*word).to_owned()).collect()
}

/// Arguments that run these classes with the JUnit Platform, JUnit 4 on the class path.
fn platform(options: &[&str], classes: &[&str]) -> Vec<String> {
    let path = support::class_path(JUNIT4_CONSOLE);
    let start = ["-cp", &path, "org.junit.platform.console.ConsoleLauncher"];
    let words = start.iter().chain(CONSOLE).chain(options).map(|word| (*word).to_owned());
    words.chain(classes.iter().map(|class| format!("--select-class={class}"))).collect()
}

fn passed(tests: &[&str]) -> Vec<(String, String)> {
    tests.iter().map(|test| ((*test).to_owned(), "passed".to_owned())).collect()
}

/// Runs a VM that is watched as `surefoot` does it and must end well.
fn watch(arguments: &[String]) -> (Place, Watch) {
    let mut place = Place::new();
    place.inject(None);
    let ended = place.run(&support::java(JDK), arguments);
    assert_eq!(ended.status, Some(0), "{ended:?}");
    let watch = place.watch();
    assert_eq!(watch.troubles, [""; 0]);
    (place, watch)
}

#[test]
fn the_users_java_tool_options_stay_in_force_in_the_watched_vm_and_in_workers() {
    let users = "-Doption='of the user'";
    let mut place = Place::new();
    place.inject(Some(users));
    let ended = place.run(&support::java(JDK), &junit4(&["four.OptionsTest"]));
    assert_eq!(ended.status, Some(0), "{ended:?}");
    assert!(
        ended.stderr.starts_with(&format!("Picked up JAVA_TOOL_OPTIONS: {users} -agentpath:")),
        "{ended:?}"
    );
    assert_eq!(ended.stderr.lines().count(), 1, "{ended:?}");
    let watch = place.watch();
    let test = "four.OptionsTest#theUsersOptionsAreInForce";
    assert_eq!(support::brief_runs(&watch), passed(&[test]));
    let launch = watch.launches.values().next().unwrap();
    assert_eq!(launch.environment.get(inject::VARIABLE).map(String::as_str), Some(users));
    let mut worker = support::start_worker(&watch);
    let results = support::run_in(&mut *worker, &[TestId::from(test)], ClassSetup::Shared);
    assert_eq!(results.iter().map(support::brief).collect::<Vec<_>>(), ["passed"]);
}

#[test]
fn an_agent_that_cannot_understand_or_write_changes_nothing() {
    let place = Place::new();
    let java = support::java(JDK);
    let arguments = junit4(&["four.PlainTest"]);
    let without = place.run(&java, &arguments);
    assert_eq!(without.status, Some(1), "{without:?}");
    let file = place.path("file");
    fs::write(&file, "").unwrap();
    let options = [
        "".to_owned(),
        "nonsense".to_owned(),
        "watch".to_owned(),
        "watch=%zz".to_owned(),
        "work=x".to_owned(),
        "work=-1".to_owned(),
        "work=1".to_owned(),
        "work=999".to_owned(),
        format!("watch={}", place.path("missing").display()),
        format!("watch={}", file.display()),
        "watch=/proc/self".to_owned(),
    ];
    let agent_without_options = format!("-agentpath:{}", support::agent().path().display());
    for option in options.iter().map(|o| support::agent_option(o)).chain([agent_without_options]) {
        let with = place.run(&java, &[std::slice::from_ref(&option), &arguments[..]].concat());
        assert_eq!(with.status, without.status, "{option}");
        assert_eq!(with.stderr, without.stderr, "{option}");
        assert_eq!(
            support::without_times(&with.stdout),
            support::without_times(&without.stdout),
            "{option}"
        );
    }
    assert_eq!(
        place.path("home").read_dir().unwrap().count(),
        0,
        "a file in the working directory"
    );
    assert!(!place.path("missing").exists());
    assert_eq!(fs::read(file).unwrap(), b"");
}

#[test]
fn tests_that_a_junit4_test_runs_are_not_shown() {
    let (_, watch) = watch(&junit4(&["four.NestingTest", "four.NestingTest$InSuite"]));
    let own = ["afterwards", "runsOthers", "thereafter"];
    let expected: Vec<String> = ["four.NestingTest#", "four.NestingTest$InSuite>four.NestingTest#"]
        .iter()
        .flat_map(|class| own.map(|test| format!("{class}{test}")))
        .collect();
    assert_eq!(
        support::brief_runs(&watch),
        passed(&expected.iter().map(String::as_str).collect::<Vec<_>>())
    );
    assert_eq!(watch.class_failures, []);
}

#[test]
fn tests_that_a_jupiter_test_runs_are_not_shown() {
    let (_, watch) = watch(&platform(&["--include-engine=junit-jupiter"], &["five.NestingTest"]));
    let expected = [
        "five.NestingTest#afterwards",
        "five.NestingTest#runsJUnit4",
        "five.NestingTest#runsOthers",
        "five.NestingTest#thereafter",
    ];
    assert_eq!(support::brief_runs(&watch), passed(&expected));
    assert_eq!(watch.class_failures, []);
}

#[test]
fn tests_of_two_frameworks_in_one_vm_are_seen_once_each_and_run_again_together() {
    let (_place, watch) = watch(&platform(&[], &["four.RowsTest", "five.SharedTest"]));
    let mut seen = support::brief_runs(&watch);
    seen.sort();
    let tests = [
        "five.SharedTest#one",
        "five.SharedTest#two",
        "four.RowsTest#first[x]",
        "four.RowsTest#first[y]",
        "four.RowsTest#second[x]",
        "four.RowsTest#second[y]",
    ];
    assert_eq!(seen, passed(&tests));
    let mut worker = support::start_worker(&watch);
    let order = [0, 2, 1, 5, 0].map(|index: usize| TestId::from(tests[index]));
    let results = support::run_in(&mut *worker, &order, ClassSetup::Shared);
    assert!(results.iter().all(|result| result.passed()), "{results:?}");
}

fn overlaps(watch: &Watch) -> Vec<(&str, bool)> {
    let mut overlaps: Vec<(&str, bool)> =
        watch.runs().map(|run| (run.test.as_str(), run.overlapped)).collect();
    overlaps.sort_unstable();
    overlaps
}

#[test]
fn junit4_tests_in_two_threads_at_a_time_are_marked() {
    let path = support::class_path(JUNIT4_JARS);
    let (_, watch) = watch(&["-cp".to_owned(), path, "four.OverlapMain".to_owned()]);
    let expected = [
        ("four.OverlapMain$Alone#alone", false),
        ("four.OverlapMain$Together#one", true),
        ("four.OverlapMain$Together#other", true),
    ];
    assert_eq!(overlaps(&watch), expected);
}

#[test]
fn jupiter_tests_in_two_threads_at_a_time_are_marked() {
    let parallel = [
        "--config=junit.jupiter.execution.parallel.enabled=true",
        "--config=junit.jupiter.execution.parallel.config.strategy=fixed",
        "--config=junit.jupiter.execution.parallel.config.fixed.parallelism=2",
    ];
    let arguments =
        [&["-Dmeet=true".to_owned()], &platform(&parallel, &["five.OverlapTest"])[..]].concat();
    let (_, watch) = watch(&arguments);
    assert_eq!(
        overlaps(&watch),
        [("five.OverlapTest#one", true), ("five.OverlapTest#other", true)]
    );
}

#[test]
fn a_vm_that_halts_ends_abruptly_and_its_test_died() {
    let mut place = Place::new();
    place.inject(None);
    let arguments = [&["-Dhalt=true".to_owned()], &junit4(&["four.HaltTest"])[..]].concat();
    let ended = place.run(&support::java(JDK), &arguments);
    assert_eq!(ended.status, Some(7), "{ended:?}");
    let watch = place.watch();
    let died = ("four.HaltTest#halts".to_owned(), "died: the VM disappeared".to_owned());
    assert_eq!(support::brief_runs(&watch), [passed(&["four.HaltTest#a"]), vec![died]].concat());
    assert_eq!(watch.vms[0].end, VmEnd::Abrupt);

    let tests = ["four.HaltTest#a", "four.HaltTest#halts"].map(TestId::from);
    let mut worker = support::start_worker(&watch);
    worker.submit(&tests, &Settings::default());
    let mut started = Vec::new();
    let death = loop {
        match worker.next(Duration::from_secs(120)) {
            Report::Started { run } => started.push(run),
            Report::Finished { run, result, .. } => assert_eq!((run, result.passed()), (0, true)),
            Report::Gone { death } => break death,
            other => panic!("{other:?}\n{}", worker.output()),
        }
    };
    assert_eq!((started, death), (vec![0, 1], Death::Exited { status: 7 }));
}

#[test]
fn a_vm_that_a_test_starts_is_left_out() {
    let mut place = Place::new();
    place.inject(None);
    let output = format!("-Dchild.output={}", place.path("child").display());
    let ended =
        place.run(&support::java(JDK), &[&[output], &junit4(&["four.ChildTest"])[..]].concat());
    let child = fs::read_to_string(place.path("child")).unwrap_or_default();
    assert_eq!(ended.status, Some(0), "{ended:?}\n{child}");
    assert!(child.contains("OK (2 tests)"), "{child}");
    assert_eq!(place.records().len(), 2, "both VMs recorded tests");
    let watch = place.watch();
    assert_eq!(watch.vms.len(), 1);
    assert_eq!(support::brief_runs(&watch), passed(&["four.ChildTest#runsTestsInAChild"]));
}
