//! pytest below Surefoot: every kind of test is seen as pytest itself reports it and runs again, and tests that break their
//! process cost nobody else a result.

use std::fs;
use std::process::Command;

use crate::kinds::run_in_all_ways;
use crate::support::{Ended, Project, junit4_command, root, tools};

/// The newest pytest among those of scripts/fetch-pythons, with the plug-ins that the tests below name.
pub(crate) const NEWEST: &str = "pytest-9";

/// The pytest of one of the environments.
pub(crate) fn pytest(environment: &str) -> String {
    tools().pythons.join(environment).join("bin/pytest").display().to_string()
}

pub(crate) fn python() -> String {
    tools().pythons.join(NEWEST).join("bin/python").display().to_string()
}

/// The environment with a debug build of CPython, where that can be had. An assertion that fails there ends the process.
pub(crate) fn debug_build() -> Option<&'static str> {
    unless_absent("debug")
}

/// The environment with CPython 3.14, where that can be had.
pub(crate) fn python_3_14() -> Option<&'static str> {
    unless_absent("python-3.14")
}

fn unless_absent(environment: &'static str) -> Option<&'static str> {
    (!tools().pythons.join(environment).join("absent").exists()).then_some(environment)
}

/// A project of one file, `test_it.py`.
pub(crate) fn project_of(source: &str) -> Project {
    let project = Project::new();
    fs::write(project.path().join("pytest.ini"), "[pytest]\n").unwrap();
    fs::write(project.path().join("test_it.py"), source).unwrap();
    project
}

/// Its tests must pass.
pub(crate) fn watch(project: &Project, options: &[&str]) -> Ended {
    let pytest = pytest(NEWEST);
    let ended = project.run(&[&["watch", "--", &pytest], options].concat());
    ended.expect(0);
    ended
}

/// What junitxml-diff.py has to say; it is silent on tests that both saw with the same result.
fn difference(project: &Project) -> String {
    let tests = project.run(&["tests", "--format", "json"]);
    let file = project.beside("tests.json");
    fs::write(&file, &tests.expect(0).stdout).unwrap();
    let output = Command::new(root().join("scripts/junitxml-diff.py"))
        .args(["report.xml".as_ref(), file.as_os_str()])
        .current_dir(project.path())
        .output()
        .unwrap();
    assert!(output.stderr.is_empty(), "{}", String::from_utf8_lossy(&output.stderr));
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    let (differences, agree) = text.trim_end().rsplit_once('\n').unwrap_or(("", text.trim_end()));
    assert!(agree.ends_with(" tests agree") && agree != "0 tests agree", "{text}");
    differences.to_owned()
}

/// In the XML, a test is skipped if one of its subtests is.
const SKIPPED_SUBTEST: &str =
    "tests.test_subtests test_one_is_skipped: pytest skipped, surefoot passed";

/// Sees all tests as pytest does, and runs them again in all ways. The suite has tests that fail.
#[track_caller]
fn every_kind(environment: &str, difference_from_xml: &str) {
    let project = Project::copy_of("every-kind-pytest");
    let pytest = pytest(environment);
    let ended = project.run(&["watch", "--", &pytest, "-q", "--junitxml=report.xml"]);
    ended.expect(1).says("test_cannot_be_imported.py failed as a whole: ");
    assert_eq!(difference(&project), difference_from_xml);
    run_in_all_ways(&project, &[]);
    let per_run = ["run", "--repeat", "2", "--class-setup", "per-run"];
    project.run(&per_run).expect(0).says("as watched");
}

#[test]
fn every_kind_of_test_of_pytest_7_0_is_seen_and_runs_again() {
    every_kind("pytest-7.0", "");
}

#[test]
fn every_kind_of_test_of_pytest_7_4_is_seen_and_runs_again() {
    every_kind("pytest-7.4", SKIPPED_SUBTEST);
}

#[test]
fn every_kind_of_test_of_pytest_8_1_is_seen_and_runs_again() {
    every_kind("pytest-8.1", SKIPPED_SUBTEST);
}

#[test]
fn every_kind_of_test_of_pytest_8_4_is_seen_and_runs_again() {
    every_kind("pytest-8.4", SKIPPED_SUBTEST);
}

#[test]
fn every_kind_of_test_of_the_newest_pytest_is_seen_and_runs_again() {
    every_kind(NEWEST, SKIPPED_SUBTEST);
}

#[test]
fn every_kind_of_test_is_seen_and_runs_again_in_python_3_14() {
    if let Some(environment) = python_3_14() {
        every_kind(environment, SKIPPED_SUBTEST);
    }
}

/// Runs all tests of testdata/faults-pytest with one fault; only the guilty run may end otherwise than watched.
#[track_caller]
fn run_with(fault: &str, guilty: Option<&str>) -> (Project, Ended) {
    let project = Project::copy_of("faults-pytest");
    watch(&project, &[]);
    project.set_fault(fault);
    let limit: &[&str] = match fault {
        "hang" => &["--timeout-floor", "2", "--timeout-factor", "1"],
        _ => &[],
    };
    let ended = project.run(&[&["run", "--format", "json"], limit].concat());
    let name = format!("test_faults.py::test_{}", fault.replace('-', "_"));
    let results = Project::results(&ended);
    assert_eq!(results.len(), 13, "{results:?}");
    for (test, statuses) in results {
        let expected = if test == name { guilty.unwrap_or("passed") } else { "passed" };
        assert_eq!(statuses, [expected], "{test}: {}", ended.stderr);
    }
    (project, ended)
}

#[test]
fn a_test_that_ends_its_process_died_and_the_rest_goes_on() {
    let (project, _) = run_with("exit", Some("died"));
    project.run(&["run", "test_exit"]).expect(1).says("died: the VM exited with status 3\n");
    run_with("kill", Some("died"));
    run_with("crash", Some("died"));
}

#[test]
fn a_test_that_ends_the_session_died_and_the_rest_goes_on() {
    run_with("session-exit", Some("died"));
    run_with("interrupt", Some("died"));
}

#[test]
fn a_test_that_hangs_timed_out() {
    run_with("hang", Some("timed-out"));
}

#[test]
fn a_test_that_prints_a_lot_leaves_threads_or_forks_passes() {
    run_with("flood", None);
    run_with("threads", None);
    run_with("fork", None);
}

#[test]
fn a_test_that_closes_our_socket_died() {
    run_with("close", Some("died"));
}

#[test]
fn a_test_that_died_when_watched_is_told() {
    let project = Project::copy_of("faults-pytest");
    project.set_fault("exit");
    let ended = project.run(&["watch", "--", &pytest(NEWEST)]);
    ended.expect(1).says("saw 2 tests in 1 VM: 1 passed, 1 died");
    ended.says("1 test VM(s) ended without a word: crashed, halted or killed");
    project.run(&["run"]).expect(0);
}

#[test]
fn a_test_that_fails_only_beside_another_process_of_ours_is_not_called_flaky() {
    let project = project_of(
        "import os, time\n\
         def test_takes_its_directory_for_itself():\n    \
             os.close(os.open('taken', os.O_CREAT | os.O_EXCL))\n    \
             time.sleep(1)\n    \
             os.remove('taken')\n",
    );
    let pytest = pytest(NEWEST);
    let ended = project.run(&["check", "--jobs", "2", "--", &pytest, "-q"]);
    let name = "test_it.py::test_takes_its_directory_for_itself";
    ended.says(&format!(
        "while another VM of Surefoot's ran, and so may share a file or a port with it: {name}"
    ));
    ended.says("FileExistsError");
    assert!(!ended.stdout.contains("FLAKY"), "{}", ended.stdout);
}

#[test]
fn where_vms_disturb_each_other_one_runs_at_a_time() {
    let project = project_of(
        "import os, pytest, time\n\
         @pytest.mark.parametrize('n', range(12))\n\
         def test_takes_its_directory(n):\n    \
             os.mkdir('taken')\n    \
             time.sleep(0.1)\n    \
             os.rmdir('taken')\n",
    );
    let ended = project.run(&["check", "--jobs", "2", "--", &pytest(NEWEST), "-q"]);
    ended.expect(0);
    ended.says("so from here on one VM runs at a time (--jobs 1 does so from the beginning)");
    ended.says("findings   0");
}

#[test]
fn a_flaky_test_is_found() {
    // Fails every second time, in whatever process it runs.
    let project = project_of(
        "import pathlib\n\
         def test_sound():\n    pass\n\
         def test_flaky():\n    \
             count = pathlib.Path('count')\n    \
             runs = int(count.read_text()) if count.exists() else 0\n    \
             count.write_text(str(runs + 1))\n    \
             assert runs % 2 == 0\n",
    );
    let pytest = pytest(NEWEST);
    let ended = project.run(&["check", "--jobs", "1", "--replays", "2", "--", &pytest, "-q"]);
    ended.expect(1).says("FLAKY  test_it.py::test_flaky");
    // Whether it is caught leaving its file, too, depends on which of its runs passes.
    ended.says("  1 flaky");
    ended.says("reproduce  surefoot run test_it.py::test_flaky --fresh-vm-per test --rounds 20");
    ended.says("  AssertionError: assert (");
}

#[test]
fn a_test_is_chosen_by_file_class_function_or_id() {
    let project = Project::copy_of("every-kind-pytest");
    project.run(&["watch", "--", &pytest(NEWEST), "-q"]).expect(1);
    let count = |word: &str| {
        let ended = project.run(&["tests", word, "--format", "json"]);
        ended.expect(0).json()["tests"].as_array().unwrap().len()
    };
    assert_eq!(count("tests/test_functions.py::test_takes[a/b::c]"), 1);
    assert_eq!(count("test_functions.py::test_takes"), 10);
    assert_eq!(count("TestSetUpOfClass"), 2);
    assert_eq!(count("tests/inner"), 1);
    assert_eq!(count("test_modules.py"), 2);
    let ended = project.run(&["tests", "test_take"]);
    ended.expect(2).says("did you mean tests/test_async.py::test_takes[1]");
}

#[test]
fn tests_of_two_root_directories_are_told_apart() {
    let project = Project::new();
    for part in ["one", "two"] {
        fs::create_dir(project.path().join(part)).unwrap();
        fs::write(project.path().join(part).join("pytest.ini"), "[pytest]\n").unwrap();
        let source = format!("def test_it():\n    assert {:?} == 'one'\n", part);
        fs::write(project.path().join(part).join("test_it.py"), source).unwrap();
    }
    let script = format!("for part in one two; do (cd $part && {} -q); done", pytest(NEWEST));
    project.run(&["watch", "--", "sh", "-c", &script]).expect(1);
    let ended = project.run(&["run", "--format", "json"]);
    let results: Vec<_> = Project::results(&ended);
    let one = |test: &str, status: &str| (test.to_owned(), vec![status.to_owned()]);
    assert_eq!(
        results,
        [one("one/test_it.py::test_it", "passed"), one("two/test_it.py::test_it", "failed")]
    );
    ended.expect(0);
}

#[test]
fn a_command_may_run_tests_of_java_and_of_python() {
    let project = project_of("def test_it():\n    pass\n");
    let java = junit4_command(&["java"], &tools().faults, &["ExitTest"]).join(" ");
    let script = format!("{java} && {} -q", pytest(NEWEST));
    let ended = project.run(&["watch", "--", "sh", "-c", &script]);
    ended.expect(0).says("saw 4 tests in 2 VMs: 4 passed");
    project.run(&["run"]).expect(0).says("4");
}

#[test]
fn a_command_that_runs_no_test_of_pytest_is_an_error() {
    let project = project_of("import nothing\n");
    let ended = project.run(&["watch", "--", &pytest(NEWEST), "-q"]);
    ended.expect(2).says("before any test ran");
    ended.says("test_it.py failed as a whole");
    fs::write(project.path().join("test_it.py"), "import unittest\n").unwrap();
    let ended = project.run(&["watch", "--", &python(), "-m", "unittest", "--help"]);
    ended.expect(2).says("ran no test that Surefoot can see").says("and pytest 7 or later");
}
