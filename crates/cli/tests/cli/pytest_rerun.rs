//! Tests of pytest that pass once and fail when they run again: of every kind found, and nothing else called so.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;

use serde_json::{Value, json};

use crate::pytest::{NEWEST, project_of, pytest, python_3_14, watch};
use crate::support::{Ended, Project};

fn tests(ended: &Ended, kind: &str) -> BTreeSet<String> {
    let report = ended.json();
    let findings = report["findings"].as_array().unwrap().iter();
    let of_kind = findings.filter(|finding| finding["kind"] == kind);
    let tests = of_kind.flat_map(|finding| finding["tests"].as_array().unwrap());
    tests.map(|test| test.as_str().unwrap().to_owned()).collect()
}

/// Watches testdata/rerun-pytest and looks at these tests of it. All whose names hold `nio` must be found, and no other.
#[track_caller]
fn exactly_the_guilty(words: &[&str], count: usize) -> Value {
    exactly_the_guilty_of(NEWEST, words, count)
}

#[track_caller]
fn exactly_the_guilty_of(environment: &str, words: &[&str], count: usize) -> Value {
    let project = Project::copy_of("rerun-pytest");
    let pytest = pytest(environment);
    project.run(&["watch", "--", &pytest, "-q"]).expect(0);
    let selected = project.run(&[&["tests", "--format", "json"], words].concat()).json();
    let selected = selected["tests"].as_array().unwrap().clone();
    let ids = selected.iter().map(|test| test["id"].as_str().unwrap());
    let guilty: BTreeSet<String> = ids.filter(|id| id.contains("nio")).map(str::to_owned).collect();
    assert_eq!(guilty.len(), count, "{guilty:?}");
    let ended = project.run(&[&["rerun", "--format", "json"], words].concat());
    assert_eq!(tests(&ended, "nio"), guilty, "{}", ended.stderr);
    ended.expect(i32::from(count > 0));
    let report = ended.json();
    let findings = report["findings"].as_array().unwrap();
    assert!(findings.iter().all(|finding| finding["kind"] == "nio"), "{findings:#?}");
    report
}

#[test]
fn tests_that_look_like_nio_are_not_called_so() {
    exactly_the_guilty(&["test_fine.py", "product.py::product.fine_doctest"], 0);
}

#[test]
fn classes_doctests_and_rows_can_be_nio() {
    let words = ["TestClass", "UnitTest", "AsyncTest", "product.py", "test_row_registers"];
    exactly_the_guilty(&words, 8);
}

#[test]
fn state_of_modules_and_of_fixtures_makes_tests_nio() {
    let words = [
        "test_list_of_the_module",
        "test_default_argument",
        "test_shared_generator",
        "test_fixture_of_the_module",
        "test_fixture_of_the_session",
        "test_nio.py::test_coroutine",
    ];
    exactly_the_guilty(&words, 6);
}

/// As those of Sybil do, which tests examples in documents.
const EXAMPLES: &str = r#"
import pytest
from _pytest.fixtures import TopRequest

class Example(pytest.Item):
    obj = None

    def __init__(self, **given):
        super().__init__(**given)
        self._fixtureinfo = self.session._fixturemanager.getfixtureinfo(node=self, func=None, cls=None)
        self.fixturenames = self._fixtureinfo.names_closure
        self.funcargs = {}
        self._request = TopRequest(self, _ispytest=True)

    def setup(self):
        self._request._fillfixtures()

    def runtest(self):
        seen = self._request.getfixturevalue("register")
        assert self.name == "fine" or seen == ["once"]

class Part(Example):
    __module__ = "sybil.integration.pytest"

class Examples(pytest.File):
    def collect(self):
        yield Example.from_parent(self, name="fine")
        yield Example.from_parent(self, name="nio")
        yield Part.from_parent(self, name="part")

def pytest_collect_file(file_path, parent):
    return Examples.from_parent(parent, path=file_path) if file_path.suffix == ".example" else None

seen = {"fine": [], "nio": [], "part": []}

@pytest.fixture
def register(request):
    seen[request.node.name].append("once")
    return seen[request.node.name]
"#;

#[test]
fn items_that_make_their_request_once_run_again() {
    let project = project_of("");
    fs::write(project.path().join("conftest.py"), EXAMPLES).unwrap();
    fs::write(project.path().join("shop.example"), "").unwrap();
    watch(&project, &["-q"]);
    let ended = project.run(&["rerun", "--all", "--format", "json"]);
    assert_eq!(tests(&ended, "nio"), ["shop.example::nio".to_owned()].into(), "{}", ended.stderr);
}

/// A plug-in that was not made for tests that run again.
const ONLY_ONCE: &str = r#"
import pytest

ran = set()

@pytest.hookimpl(tryfirst=True)
def pytest_runtest_protocol(item, nextitem):
    if item.nodeid in ran:
        raise AttributeError("no second time")
    ran.add(item.nodeid)
"#;

#[test]
fn what_a_plug_in_does_not_let_run_again_is_told_and_not_called_nio() {
    let project = project_of("def test_one(): pass\n\ndef test_other(): pass\n");
    fs::write(project.path().join("conftest.py"), ONLY_ONCE).unwrap();
    watch(&project, &["-q"]);
    let ended = project.run(&["rerun", "--all"]);
    ended.expect(0);
    ended.says("NOT REPEATED  test_it.py::test_one   (+1 more test)\n");
    ended.says("pytest or a plug-in failed: AttributeError: no second time");
}

#[test]
fn state_makes_tests_nio_in_python_3_14() {
    if let Some(environment) = python_3_14() {
        let words = ["test_list_of_the_module", "test_fixture_of_the_session", "TestClass"];
        exactly_the_guilty_of(environment, &words, 4);
    }
}

#[test]
fn state_of_the_process_and_files_make_tests_nio() {
    let words = [
        "test_nio.py::test_environment",
        "test_nio.py::test_directory",
        "test_import_path",
        "test_module_is_replaced",
        "test_standard_library_is_patched",
        "test_handler_is_added",
        "test_file",
    ];
    exactly_the_guilty(&words, 7);
}

/// What each test of the last watch left, by its id.
fn changes(project: &Project, number: &str) -> BTreeMap<String, Value> {
    let vms = project.path().join(".surefoot/watches").join(number).join("vms");
    let files = fs::read_dir(vms).unwrap().map(|file| file.unwrap().path());
    let record: String = files.map(|file| fs::read_to_string(file).unwrap()).collect();
    let events = record.lines().map(|line| serde_json::from_str::<Value>(line).unwrap());
    let changed = events.filter(|event| event["event"] == "changed" && event["tests"] == 1);
    let test = |event: &Value| event["test"]["address"].as_str().unwrap().to_owned();
    changed.map(|event| (test(&event), event["change"].clone())).collect()
}

fn exact() -> Project {
    let project = Project::copy_of("rerun-pytest");
    let exact = "[pollution]\noverhead = 1000.0\nfiles = [\".\"]\n";
    fs::write(project.path().join("surefoot.toml"), exact).unwrap();
    project
}

/// What a test does not change cannot make it fail again: so those that changed nothing are not run twice.
#[test]
fn tests_that_left_all_as_it_was_are_not_run_twice_but_those_that_changed_a_library_are() {
    let project = exact();
    let pytest = pytest(NEWEST);
    let suite = [&pytest, "-q", "test_nio_library.py", "test_fine.py"];
    let ended = project.run(&[&["rerun", "--format", "json", "--"], &suite[..]].concat());
    let changes = changes(&project, "0001");
    let guilty: BTreeSet<String> =
        changes.keys().filter(|id| id.contains("nio")).cloned().collect();
    assert_eq!(guilty.len(), 10, "{guilty:?}");
    assert_eq!(tests(&ended, "nio"), guilty, "{}", ended.stderr);
    ended.expect(1).says("tests were not run twice, having left all as before that is looked at");
    let left_out = changes.len() as u64 - ended.json()["totals"]["replayed"].as_u64().unwrap();
    assert!(left_out > 20, "{}", ended.stderr);
    let of_library = &changes["test_nio_library.py::test_instance_of_the_library"];
    assert_eq!(of_library["elsewhere"], json!(["vendor.default"]));
    assert_eq!(of_library["differences"], json!([]), "it is no pollution");
    let of_file = &changes["test_nio_library.py::test_open_file"];
    assert_eq!(of_file["elsewhere"], json!(["open files"]));
    let last = &changes["test_nio_library.py::test_last_of_the_module"];
    assert!(last["elsewhere"].to_string().contains("test_nio_library.THINGS"), "{last}");
    assert_eq!(last["differences"], json!([]), "no other test sees it");
    for (row, parameter) in [
        ("test_row_changes_its_parameter[sizes0]", "parameter sizes"),
        ("test_row_uses_its_parameter_up[names0]", "parameter names"),
    ] {
        let of_row = &changes[&format!("test_nio_library.py::{row}")];
        assert_eq!(of_row["elsewhere"], json!([parameter]));
    }
    for row in ["names0", "names1"] {
        let of_row = &changes[&format!("test_fine.py::test_row_reads_its_parameter[{row}]")];
        assert_eq!(*of_row, json!({ "differences": [], "more": 0 }));
    }
    let undone = &changes["test_fine.py::test_library_is_as_before"];
    assert_eq!(*undone, json!({ "differences": [], "more": 0 }));
}

#[test]
fn every_nio_test_is_seen_to_change_something() {
    let project = exact();
    let pytest = pytest(NEWEST);
    // One of them goes there, and others go on from there.
    let suite = [&pytest, "-q", "--basetemp=temporary"];
    let one = ["pollution", "test_fine.py::test_cache", "--"];
    project.run(&[&one[..], &suite].concat()).expect(0);
    let changes = changes(&project, "0001");
    let is_missed = |(id, change): &(&String, &Value)| {
        let is_empty = |what: &str| change[what].as_array().is_none_or(Vec::is_empty);
        id.contains("nio") && is_empty("differences") && is_empty("elsewhere")
    };
    assert_eq!(changes.keys().filter(|id| id.contains("nio")).count(), 34);
    assert_eq!(changes.iter().find(is_missed), None);
}

#[test]
fn the_papers_cases_in_python_are_found_with_their_failures() {
    let words =
        ["test_wrong_type_on_cleaning", "test_array_through_an_alias", "test_nio.py::test_port"];
    let report = exactly_the_guilty(&words, 3);
    let failure = |test: &str| {
        let about = |finding: &&Value| finding["tests"][0].as_str().unwrap().ends_with(test);
        let finding = report["findings"].as_array().unwrap().iter().find(about).unwrap();
        finding["evidence"][0]["text"].as_str().unwrap().to_owned()
    };
    let wrong_type = failure("::test_wrong_type_on_cleaning");
    assert_eq!(wrong_type, "TypeError: list indices must be integers or slices, not str");
    assert!(failure("::test_array_through_an_alias").starts_with("AssertionError"));
    assert!(failure("::test_port").contains("Address already in use"));
}

/// The state that each of these trips over, by the name of the test. The others are told with what the first run left.
const CAUSES: &[(&str, &str)] = &[
    (
        "test_list_of_the_module",
        "it trips over test_nio.THINGS[1] was added: \"more\"; put back, the second run passes",
    ),
    (
        "test_default_argument",
        "it trips over product.collect.__defaults__[0][0] was added: 1; put back, the second run passes",
    ),
    (
        "test_fixture_of_the_module",
        "it trips over fixture basket[0] was added: 1; put back, the second run passes",
    ),
    (
        "test_takes_from_the_class",
        "it trips over test_nio.UnitTest.stock[0] was removed: \"book\"; put back, the second run passes",
    ),
    (
        "test_port",
        "it trips over test_nio.SERVERS[0] was added: HTTPServer; put back, the second run passes",
    ),
];

#[test]
fn the_state_that_a_nio_test_trips_over_is_named() {
    let project = Project::copy_of("rerun-pytest");
    let pytest = pytest(NEWEST);
    project.run(&["watch", "--", &pytest, "-q"]).expect(0);
    let names: Vec<String> = CAUSES.iter().map(|(name, _)| format!("test_nio*::{name}")).collect();
    let words: Vec<&str> =
        names.iter().map(String::as_str).chain(["test_nio.py::test_file"]).collect();
    let ended = project.run(&[&["rerun", "--format", "json"], &words[..]].concat());
    let report = ended.json();
    let cause = |name: &str, label: &str| {
        let about = |finding: &&Value| finding["tests"][0].as_str().unwrap().ends_with(name);
        let finding = report["findings"].as_array().unwrap().iter().find(about);
        let finding = finding.unwrap_or_else(|| panic!("{name} is not found: {}", ended.stderr));
        let evidence = finding["evidence"].as_array().unwrap().iter();
        let of_label = evidence.filter(|one| one["label"] == label);
        of_label.map(|one| one["text"].as_str().unwrap().to_owned()).collect::<Vec<_>>()
    };
    for (name, expected) in CAUSES {
        assert_eq!(cause(name, "cause").first().map(String::as_str), Some(*expected), "{name}");
    }
    let of_file = cause("::test_file", "cause-not-seen");
    assert!(of_file[0].contains("think of files"), "{of_file:?}");
    let explained = project.run(&["explain", "test_list_of_the_module"]);
    explained.expect(1).says("it trips over test_nio.THINGS[1]");
    explained.says("take out after the yield of a fixture what the test put in");
}

#[test]
fn fixtures_of_a_wider_scope_are_new_for_each_run_if_wanted() {
    let project = Project::copy_of("rerun-pytest");
    let pytest = pytest(NEWEST);
    project.run(&["watch", "--", &pytest, "-q"]).expect(0);
    let words = ["test_fixture_of_the_module", "test_fixture_of_the_session", "TestClass"];
    let run = [&["run", "--repeat", "2"], &words[..]].concat();
    project.run(&run).expect(1).says("as watched");
    let per_run = [&run[..], &["--class-setup", "per-run"]].concat();
    let ended = project.run(&[&per_run[..], &["--format", "json"]].concat());
    let failed: Vec<String> = Project::results(&ended)
        .into_iter()
        .filter(|(_, results)| results.contains(&"failed".to_owned()))
        .map(|(test, _)| test)
        .collect();
    assert_eq!(failed, ["test_nio.py::TestClass::test_attribute_of_the_class"]);
}

#[test]
fn a_test_alone_imports_its_own_file_only_and_all_of_them_with_the_suite() {
    let project = Project::copy_of("rerun-pytest");
    let source = "import sys\ndef test_alone():\n    assert 'test_nio' not in sys.modules\n";
    fs::write(project.path().join("test_alone.py"), source).unwrap();
    let pytest = pytest(NEWEST);
    // In the suite the test fails, for the other file is imported before it runs.
    project.run(&["watch", "--", &pytest, "-q"]).expect(1);
    let status = |arguments: &[&str]| {
        let ended = project.run(&[arguments, &["--format", "json"]].concat());
        let results = Project::results(&ended);
        let alone = results.iter().find(|(test, _)| test == "test_alone.py::test_alone").unwrap();
        alone.1.clone()
    };
    assert_eq!(status(&["run", "test_alone"]), ["passed"]);
    assert_eq!(status(&["run"]), ["failed"]);
}
