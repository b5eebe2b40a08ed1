//! What each framework has of its own: parameters, shared instances, and set-up of a whole class.

use std::collections::BTreeSet;

use super::{expect, found, pollution};
use crate::support::{Ended, Project, jupiter_command, runtimes, testng_command, tools};

#[test]
fn only_the_parameters_that_pollute_are_named() {
    expect(
        &["ParameterizedTest"],
        &["keepsEven[1]: pollution.ParameterizedTest.kept[0] was added: 2"],
    );
}

/// Watches another command than JUnit 4's.
fn pollution_of(project: &Project, command: Vec<String>) -> Ended {
    let options = ["pollution", "--format", "json", "--no-files", "--"];
    project.run(&options.map(str::to_owned).into_iter().chain(command).collect::<Vec<_>>())
}

#[test]
fn tests_of_testng_with_what_runs_before_and_after_each_and_the_instance_that_they_share() {
    for java in runtimes() {
        let project = Project::new();
        let java = [java.to_str().unwrap()];
        let ended = pollution_of(&project, testng_command(&java, &tools().pollution, &["NgTest"]));
        let expected = [
            "countsInTheInstance, leavesAnOrderInTheInstance: instance of pollution.NgTest.orders[0] was added: \"pear\"",
            "countsInTheInstance, leavesAnOrderInTheInstance: instance of pollution.NgTest.visitors: 0 → 7",
            "keepsEven(int)[1]: pollution.NgTest.KEPT[0] was added: 2",
        ];
        assert_eq!(found(&ended), expected.map(str::to_owned).into(), "{}", ended.stderr);
    }
}

#[test]
fn the_instance_that_all_tests_of_a_jupiter_class_share() {
    let project = Project::new();
    let ended =
        pollution_of(&project, jupiter_command(&["java"], &tools().pollution, &["PerClassTest"]));
    let expected =
        ["leavesAnOrder: instance of pollution.PerClassTest.orders[0] was added: \"pear\""];
    assert_eq!(found(&ended), expected.map(str::to_owned).into(), "{}", ended.stderr);
}

/// Verdicts, with the first place and how many tests.
fn verdicts(ended: &Ended) -> BTreeSet<String> {
    let report = ended.json();
    let findings = report["findings"].as_array().unwrap().iter();
    let shown = findings.map(|finding| {
        let (verdict, tests) = (&finding["verdict"], finding["tests"].as_array().unwrap());
        let place = finding["evidence"][0]["text"].as_str().unwrap();
        format!("{}: {place}, {} tests", verdict.as_str().unwrap(), tests.len())
    });
    shown.collect()
}

#[test]
fn what_class_level_set_up_leaves_is_put_down_to_the_class() {
    let project = Project::new();
    let classes = ["TidyClassTest", "ClassLevelTest", "PotionTest"];
    let ended = pollution(&project, &["--no-files"], &["java"], &classes);
    let expected = [
        "class-level set-up leaves System.getProperties() changed: System.getProperties()[\"pollution.class\"] was added: \"left\", 2 tests",
        "class-level set-up leaves pollution.PotionEffectType.byName changed: pollution.PotionEffectType.byName[\"class\"] was added: PotionEffectType, 2 tests",
        "leaves pollution.PotionEffectType.byName changed: pollution.PotionEffectType.byName[\"own\"] was added: PotionEffectType, 2 tests",
    ];
    assert_eq!(verdicts(&ended), expected.map(str::to_owned).into(), "{}", ended.stderr);

    let command = testng_command(&["java"], &tools().pollution, &["NgClassTest", "NgTest"]);
    let ended = pollution_of(&Project::new(), command);
    let expected = "class-level set-up leaves System.getProperties() changed: System.getProperties()[\"pollution.ng\"] was added: \"left\", 2 tests";
    let of_classes: Vec<String> =
        verdicts(&ended).into_iter().filter(|verdict| verdict.starts_with("class-level")).collect();
    assert_eq!(of_classes, [expected], "{}", ended.stderr);
    assert!(!verdicts(&ended).iter().any(|one| one.starts_with("leaves System")), "{ended:#?}");

    let command = jupiter_command(&["java"], &tools().pollution, &["JupiterClassTest"]);
    let ended = pollution_of(&Project::new(), command);
    let expected = [
        "class-level set-up leaves System.getProperties() changed: System.getProperties()[\"pollution.jupiter\"] was added: \"left\", 2 tests",
    ];
    assert_eq!(verdicts(&ended), expected.map(str::to_owned).into(), "{}", ended.stderr);
}

#[test]
fn what_a_test_setup_of_junit_3_leaves_is_put_down_to_the_class() {
    let project = Project::new();
    let ended = pollution(&project, &["--no-files"], &["java"], &["PotionTest", "SetUpTest"]);
    let expected = [
        "class-level set-up leaves System.getProperties() changed: System.getProperties()[\"pollution.junit3\"] was added: \"left\", 2 tests",
        "leaves pollution.PotionEffectType.byName changed: pollution.PotionEffectType.byName[\"own\"] was added: PotionEffectType, 2 tests",
    ];
    assert_eq!(verdicts(&ended), expected.map(str::to_owned).into(), "{}", ended.stderr);
    ended.says("tearDown of the TestSetup");
}
