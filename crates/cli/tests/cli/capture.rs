//! The state compared between points within a test: what is between them is found, and nothing else.

use std::collections::BTreeSet;

use crate::support::{Ended, Project, junit4_command, jupiter_command, testng_command, tools};

/// What the findings name below `Stages.PASSED`, with the test. What else they say fails the test.
fn stages(ended: &Ended) -> BTreeSet<String> {
    let report = ended.json();
    let findings = report["findings"].as_array().unwrap().iter();
    let mut stages = BTreeSet::new();
    for finding in findings {
        assert_eq!(finding["verdict"], "changes pollution.Stages.PASSED");
        let evidence = finding["evidence"].as_array().unwrap().iter();
        for place in evidence.filter(|one| one["label"] == "path" || one["label"] == "more") {
            let text = place["text"].as_str().unwrap();
            let stage = text.split('"').nth(1).unwrap_or(text);
            stages.insert(stage.to_owned());
        }
    }
    stages
}

fn capture(project: &Project, points: &str) -> Ended {
    project.run(&["pollution", "--format", "json", "--no-files", "--capture", points])
}

/// Watches a command, then compares between points: for each pair, what is to be found.
#[track_caller]
fn expect(command: Vec<String>, expected: &[(&str, &[&str])]) -> Project {
    let project = Project::new();
    let words = ["watch", "--"].map(str::to_owned).into_iter().chain(command);
    project.run(&words.collect::<Vec<_>>()).expect(0);
    for (points, found) in expected {
        let ended = capture(&project, points);
        let found: BTreeSet<String> = found.iter().map(|&stage| stage.to_owned()).collect();
        assert_eq!(stages(&ended), found, "{points}: {}", ended.stderr);
        ended.expect(1);
    }
    project
}

/// With JUnit 3's own runner.
fn junit3_command(class: &str) -> Vec<String> {
    let mut command = junit4_command(&["java"], &tools().pollution, &[class]);
    for word in command.iter_mut().filter(|word| *word == "org.junit.runner.JUnitCore") {
        "junit.textui.TestRunner".clone_into(word);
    }
    command
}

const IN_JUNIT_4: &[(&str, &[&str])] = &[
    ("before-construction..before-setup", &["construction"]),
    ("before-setup..after-setup", &["a rule's set-up", "set-up"]),
    ("after-setup..before-teardown", &["test"]),
    ("before-teardown..after-teardown", &["a rule's tear-down", "tear-down"]),
    ("before-construction..after-setup", &["a rule's set-up", "construction", "set-up"]),
    ("after-setup..after-setup", &["a rule's tear-down", "tear-down", "test"]),
];

#[test]
fn every_point_of_junit_4() {
    let command = junit4_command(&["java"], &tools().pollution, &["StagesTest"]);
    let project = expect(command, IN_JUNIT_4);
    let text = project.run(&["pollution", "--no-files", "--capture", "after-setup..after-setup"]);
    text.says("from after-setup of one run to that of the next run of the same test")
        .says("--capture after-setup..after-setup");
    // What another command takes from the watched run is about whole tests.
    project.run(&["pollution", "--no-files"]).expect(1).says("leaves pollution.Stages.PASSED");
}

#[test]
fn test_methods_that_throw_or_run_in_another_thread_come_to_their_end() {
    let command = junit4_command(&["java"], &tools().pollution, &["ThrowingStagesTest"]);
    let own = ["expects", "expects by a rule", "has a timeout", "has both"];
    expect(command, &[("after-setup..before-teardown", &own)]);
}

#[test]
fn every_point_of_jupiter() {
    let command =
        jupiter_command(&["java"], &tools().pollution, &["JupiterStagesTest", "MadeStagesTest"]);
    let up = ["an extension's set-up", "set-up"];
    let down = ["an extension's tear-down", "tear-down"];
    let project = expect(
        command,
        &[
            ("before-construction..before-setup", &["construction"]),
            ("before-setup..after-setup", &up),
            // A test that a method made has nothing but itself.
            ("after-setup..before-teardown", &["made test", "test"]),
            ("before-teardown..after-teardown", &down),
        ],
    );
    let dump = ["pollution", "--dump-state", "JupiterStagesTest#passes", "--capture"];
    let dumped = project.run(&[&dump[..], &["before-setup..after-setup"]].concat());
    dumped.expect(0).says("an extension's set-up");
    assert!(!dumped.stdout.contains("tear-down"), "{}", dumped.stdout);
}

#[test]
fn the_points_of_junit_3_and_testng_and_what_these_have_not() {
    let pairs: &[(&str, &[&str])] = &[
        ("before-setup..after-setup", &["set-up"]),
        ("after-setup..before-teardown", &["test"]),
        ("before-teardown..after-teardown", &["tear-down"]),
    ];
    let compiled = &tools().pollution;
    // A runner of JUnit 4's runs tests of JUnit 3 as well.
    expect(junit4_command(&["java"], compiled, &["ThreeStagesTest"]), &pairs[..1]);
    for command in
        [junit3_command("ThreeStagesTest"), testng_command(&["java"], compiled, &["NgStagesTest"])]
    {
        let project = expect(command, pairs);
        let ended = capture(&project, "before-construction..after-teardown");
        ended.expect(2).says("1 tests are not looked at: ").says(
            " has no before-construction: it makes the objects of its tests before the first",
        );
    }
}

#[test]
fn a_test_that_does_not_come_to_a_point_is_named() {
    let command =
        junit4_command(&["java"], &tools().pollution, &["StagesTest", "TimeoutStagesTest"]);
    let project = expect(command, &[("after-setup..before-teardown", &["test"])]);
    let ended = capture(&project, "after-setup..before-teardown");
    ended.expect(1).says(
        "1 tests were not looked at, as they were not seen at both after-setup and before-teardown: pollution.TimeoutStagesTest#passes",
    );
    let nonsense = capture(&project, "after-setup..before-setup");
    nonsense.expect(2).says("after-setup comes after before-setup");
}
