//! Tests with a database of Django's, run by pytest-django.

use serde_json::Value;

use crate::pytest::pytest;
use crate::support::{Ended, Project};

fn findings(ended: &Ended) -> Vec<String> {
    let report = ended.json();
    let line = |finding: &Value| {
        format!("{} {}", finding["kind"].as_str().unwrap(), finding["tests"][0].as_str().unwrap())
    };
    report["findings"].as_array().unwrap().iter().map(line).collect()
}

#[test]
fn tests_with_a_database_run_again_and_what_is_unreliable_is_found() {
    let project = Project::copy_of("django-pytest");
    let pytest = pytest("pytest-django");
    project.run(&["watch", "--", &pytest, "-q"]).expect(0).says("15 passed");
    project.run(&["run", "--fresh-vm-per", "class"]).expect(0).says("as watched");
    let rerun = project.run(&["rerun", "--format", "json"]);
    assert_eq!(findings(&rerun), ["nio test_shop.py::test_runs_only_once"], "{}", rerun.stderr);
    let assumptions = project.run(&["assumptions", "--format", "json"]);
    let assumes = ["assumption test_shop.py::test_assumes_an_order"];
    assert_eq!(findings(&assumptions), assumes, "{}", assumptions.stderr);
    let report = assumptions.json();
    let evidence = report["findings"][0]["evidence"].as_array().unwrap();
    let call = "test_shop.test_assumes_an_order(test_shop.py:21) by a query without order_by";
    assert!(evidence.iter().any(|one| one["text"] == call), "{evidence:#?}");
}

#[test]
fn settings_that_are_put_back_are_no_pollution_and_those_that_are_not_are() {
    let project = Project::copy_of("django-pytest");
    let pytest = pytest("pytest-django");
    let ended = project.run(&["pollution", "--format", "json", "--", &pytest, "-q"]);
    let found = findings(&ended);
    let expected = [
        "pollution test_shop.py::test_leaves_a_client",
        "pollution test_shop.py::test_leaves_a_setting",
        "pollution test_shop.py::test_runs_only_once",
    ];
    assert_eq!(found, expected, "{}", ended.stderr);
    let report = ended.json();
    let path = report["findings"][1]["evidence"][0]["text"].as_str().unwrap();
    assert_eq!(path, "test_shop.project_settings._wrapped.SHOP_NAME was added: \"Emma's\"");
}
