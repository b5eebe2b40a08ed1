//! Workers that are forked from a process which has collected the tests: they cannot be told from those that were started, and where they
//! could, they are started.

use std::collections::BTreeSet;
use std::fs;

use rustix::process::Signal;
use serde_json::Value;

use crate::pytest::{NEWEST, project_of, pytest, python_3_14};
use crate::support::{Ended, Project, Running, descendants, wait_until, wait_until_gone};

/// An environment in which pytest starts quickly.
const FEW_PLUGINS: &str = "pytest-8.4";

/// Begins every file of tests below: `note` adds a line to the file `notes`; `orders` is what a test may not rely on.
const HEAD: &str = "\
import os, random, signal, sys, time

def note(*words):
    with open(os.environ['NOTES'], 'a') as file:
        print(*words, file=file)

def is_forked():
    with open('/proc/%d/cmdline' % os.getppid()) as file:
        return 'surefoot_pytest' in file.read()

def is_usual():
    return list({1, 2, 3, 4}) == [1, 2, 3, 4]
";

fn project(source: &str) -> Project {
    project_of(&format!("{HEAD}\n{source}"))
}

fn start(project: &Project, environment: &str, arguments: &[&str]) -> Running {
    let pytest = pytest(environment);
    let mut command = vec!["--", &pytest, "-q"];
    if environment == NEWEST {
        // It starts a thread.
        command.extend(["-p", "no:rerunfailures"]);
    }
    let mut command = project.command(&[arguments, &command].concat());
    command.env("NOTES", project.beside("notes")).env("PYTHONHASHSEED", "0");
    project.start_command(command)
}

fn assumptions(project: &Project) -> Ended {
    let arguments = ["assumptions", "--seeds", "4", "--timeout-floor", "3", "--format", "json"];
    start(project, FEW_PLUGINS, &arguments).end()
}

fn notes(project: &Project) -> Vec<String> {
    let text = fs::read_to_string(project.beside("notes")).unwrap_or_default();
    text.lines().map(str::to_owned).collect()
}

fn found(ended: &Ended) -> BTreeSet<String> {
    let report = ended.json();
    let findings = report["findings"].as_array().unwrap().iter();
    let tests = findings.flat_map(|finding| finding["tests"].as_array().unwrap());
    tests.map(|test| test.as_str().unwrap().rsplit("::").next().unwrap().to_owned()).collect()
}

/// The runs of this test in the last command's record.
fn runs(project: &Project, test: &str) -> Vec<Value> {
    let runs = project.path().join(".surefoot/runs/0001/run.jsonl");
    let record = fs::read_to_string(runs).unwrap();
    let lines = record.lines().map(|line| serde_json::from_str::<Value>(line).unwrap());
    let runs = lines.filter_map(|mut line| Some(line.get_mut("run")?.take()));
    runs.filter(|run| run["test"].as_str().unwrap().ends_with(test)).collect()
}

#[test]
fn a_forked_worker_has_its_own_group_folders_streams_and_chance_whatever_the_pytest_and_the_python()
{
    let all = ["pytest-7.0", "pytest-7.4", "pytest-8.1", "pytest-8.4", NEWEST];
    for environment in all.into_iter().chain(python_3_14()) {
        let project = project(
            "
def test_it(tmp_path, capfd):
    print('only mine')
    os.write(1, b'too')
    said = capfd.readouterr().out.replace('\\n', ' ')
    note(is_forked(), os.getpgrp() == os.getpid(), tmp_path, random.random(), said)
    is_usual()
",
        );
        fs::write(
            project.path().join("conftest.py"),
            "def pytest_collection_finish(session):\n    session.config._tmp_path_factory.getbasetemp()\n",
        )
        .unwrap();
        // What is not closed shows as a warning in whatever test runs next.
        let strict = "[pytest]\nfilterwarnings =\n    error::ResourceWarning\n    error::pytest.PytestUnraisableExceptionWarning\n";
        fs::write(project.path().join("pytest.ini"), strict).unwrap();
        let arguments = ["assumptions", "--seeds", "4", "--format", "json"];
        start(&project, environment, &arguments).end().expect(0);
        let runs = runs(&project, "test_it");
        assert!(runs.iter().all(|run| run["status"] == "passed"), "{environment}: {runs:#?}");
        let notes = notes(&project);
        let forked: Vec<&String> = notes.iter().filter(|note| note.starts_with("True")).collect();
        assert_eq!(forked.len(), 5, "{environment}: the control and four seeds\n{notes:#?}");
        for note in &forked {
            assert!(note.starts_with("True True /"), "{environment}: {note}");
            assert!(note.ends_with(" only mine too"), "{environment}: {note}");
        }
        for place in [2, 3] {
            let words = forked.iter().map(|note| note.split(' ').nth(place).unwrap());
            let different: BTreeSet<&str> = words.collect();
            assert_eq!(different.len(), 5, "{environment}: {notes:#?}");
        }
    }
}

#[test]
fn a_forked_worker_that_dies_or_hangs_says_how() {
    let project = project(
        "
def last_words():
    os.write(2, b'last words\\n')

def test_crash():
    if not is_usual():
        last_words()
        os.kill(os.getpid(), signal.SIGSEGV)

def test_exit():
    if not is_usual():
        last_words()
        os._exit(3)

def test_hang():
    if not is_usual():
        last_words()
        time.sleep(1000)

def test_fine():
    is_usual()
",
    );
    fs::write(project.path().join("pytest.ini"), "[pytest]\naddopts = -s\n").unwrap();
    let ended = assumptions(&project);
    let first = |test: &str, status: &str| {
        let runs = runs(&project, test);
        let run = runs.iter().find(|run| run["status"] == status);
        run.unwrap_or_else(|| panic!("{test}: {runs:#?}")).clone()
    };
    assert_eq!(first("test_crash", "died")["death"]["signal"], 11);
    assert_eq!(first("test_exit", "died")["death"]["status"], 3);
    let hung = first("test_hang", "timed-out");
    assert!(hung["output"].as_str().unwrap().contains("last words"), "{hung:#}");
    assert!(runs(&project, "test_fine").iter().all(|run| run["status"] == "passed"));
    // A process that is gone does not tell what it chose, so nothing of this can be confirmed.
    assert_eq!(found(&ended), BTreeSet::new());
}

/// What is there when tests have been imported, and would be shared by all forks.
const SHARED: [(&str, &str); 8] = [
    (
        "thread",
        "import threading; threading.Thread(target=time.sleep, args=(1000,), daemon=True).start()",
    ),
    ("process", "import subprocess; subprocess.Popen(['sleep', '30'], stdout=subprocess.DEVNULL)"),
    ("socket", "import socket; S = socket.socket(); S.bind(('127.0.0.1', 0)); S.listen()"),
    ("file", "FILE = open(__file__)"),
    (
        "lock of a file",
        "import fcntl; LOCKED = open('lock', 'a'); fcntl.flock(LOCKED, fcntl.LOCK_SH)",
    ),
    ("terminal", "TERMINAL = os.openpty()"),
    ("memory", "import mmap; MEMORY = mmap.mmap(-1, 100)"),
    ("lock", "import multiprocessing; LOCK = multiprocessing.Lock()"),
];

#[test]
fn where_forks_would_share_more_than_memory_workers_are_started() {
    for (what, line) in SHARED {
        let project = project(&format!(
            "
{line}

def test_order():
    note(is_forked())
    assert is_usual()
"
        ));
        let ended = assumptions(&project);
        assert_eq!(found(&ended), BTreeSet::from(["test_order".to_owned()]), "{what}");
        let notes = notes(&project);
        assert!(notes.len() > 5 && notes.iter().all(|note| note == "False"), "{what}: {notes:?}");
        assert!(!ended.own_words().contains("warning"), "{what}: {}", ended.stderr);
    }
}

#[test]
fn what_is_found_in_forks_is_confirmed_in_workers_that_were_started() {
    let project = project(
        "
def test_order():
    usual = is_usual()
    note(is_forked(), usual)
    assert usual
",
    );
    assert_eq!(found(&assumptions(&project)), BTreeSet::from(["test_order".to_owned()]));
    let notes = notes(&project);
    // Three times with what is chosen, and twice with nothing else; three times without, and when watched.
    let started =
        |usual: &str| notes.iter().filter(|note| **note == format!("False {usual}")).count();
    assert!(started("False") >= 5 && started("True") >= 4, "{notes:#?}");
    assert!(notes.iter().any(|note| note == "True False"), "{notes:#?}");
}

/// In all forks what was left to chance at import is the same.
#[test]
fn a_test_that_ends_by_chance_is_neither_an_assumption_nor_nio() {
    let source = "
OWN = random.Random()
BY_IMPORT = OWN.random() < 0.5
IS_FIRST = not os.path.exists(os.environ['NOTES'])

def test_import():
    note()
    is_usual()
    assert IS_FIRST or BY_IMPORT

def test_generator():
    is_usual()
    assert IS_FIRST or OWN.random() < 0.5

def test_hash():
    # PYTHONHASHSEED is chosen where assumptions are looked for.
    assert IS_FIRST or 'PYTHONHASHSEED' in os.environ or hash('x') % 2
";
    let project = project(source);
    let ended = assumptions(&project);
    assert_eq!(found(&ended), BTreeSet::new(), "{}", ended.stderr);
    fs::remove_file(project.beside("notes")).unwrap();
    let pytest = pytest(FEW_PLUGINS);
    let arguments = ["rerun", "--format", "json", "--", &pytest, "-q"];
    let mut command = project.command(&arguments);
    command.env("NOTES", project.beside("notes"));
    let ended = project.start_command(command).end();
    let report = ended.json();
    let nio = report["findings"].as_array().unwrap().iter().find(|one| one["kind"] == "nio");
    assert_eq!(nio, None, "{}", ended.stderr);
}

#[test]
fn a_seed_that_the_project_gave_at_import_stays_in_forks() {
    let project = project(
        "
random.seed(7)

def test_it():
    note(is_forked(), random.random())
    is_usual()
",
    );
    assumptions(&project).expect(0);
    let numbers: BTreeSet<String> =
        notes(&project).iter().map(|note| note.split(' ').nth(1).unwrap().to_owned()).collect();
    assert_eq!(numbers.len(), 1, "{:#?}", notes(&project));
}

#[test]
fn a_test_that_fails_in_forks_alone_is_looked_at_in_workers_that_were_started() {
    let project = project(
        "
def test_order():
    assert not is_forked()
    assert is_usual()

def test_fine():
    assert not is_forked()
    is_usual()
",
    );
    assert_eq!(found(&assumptions(&project)), BTreeSet::from(["test_order".to_owned()]));
}

#[test]
fn what_the_end_of_a_session_removes_is_there_until_the_last_fork_has_ended() {
    let project = project(
        "
import atexit, shutil, tempfile, weakref
BY_EXIT = tempfile.mkdtemp(dir=os.environ['TMPDIR'])
atexit.register(shutil.rmtree, BY_EXIT)
BY_FINALIZER = tempfile.TemporaryDirectory(dir=os.environ['TMPDIR'])

def test_it(request):
    note(is_forked())
    # Each worker adds its own.
    folder = tempfile.TemporaryDirectory(dir=os.environ['TMPDIR'])
    weakref.finalize(sys, folder.cleanup)
    atexit.register(os.rmdir, tempfile.mkdtemp(dir=os.environ['TMPDIR']))
    is_usual()
    for folder in (BY_EXIT, BY_FINALIZER.name, request.config.folder):
        assert os.path.isdir(folder)
",
    );
    fs::write(
        project.path().join("conftest.py"),
        "\
import os, shutil, tempfile

def pytest_configure(config):
    config.folder = tempfile.mkdtemp(dir=os.environ['TMPDIR'])

def pytest_unconfigure(config):
    shutil.rmtree(config.folder)
",
    )
    .unwrap();
    let folder = project.beside("temporary");
    fs::create_dir(&folder).unwrap();
    let pytest = pytest(FEW_PLUGINS);
    let arguments = ["assumptions", "--format", "json", "--", &pytest, "-q"];
    let mut command = project.command(&arguments);
    command.env("NOTES", project.beside("notes")).env("TMPDIR", &folder);
    let ended = project.start_command(command).end();
    ended.expect(0);
    assert!(notes(&project).iter().filter(|note| **note == "True").count() > 10);
    assert!(runs(&project, "test_it").iter().all(|run| run["status"] == "passed"));
    let left: Vec<_> = fs::read_dir(&folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    assert!(left.is_empty(), "{left:?}");
}

/// The test that is run takes the parent's life, or the fork never ends.
#[test]
fn a_parent_that_dies_or_hangs_is_done_without() {
    let dies = "
def test_order():
    if is_forked():
        os.kill(os.getppid(), signal.SIGKILL)
        time.sleep(1000)
    assert is_usual()
";
    let hangs = "
os.register_at_fork(before=lambda: time.sleep(1000))

def test_order():
    assert is_usual()
";
    for source in [dies, hangs] {
        let project = project(source);
        let ended = assumptions(&project);
        assert_eq!(found(&ended), BTreeSet::from(["test_order".to_owned()]), "{}", ended.stderr);
    }
}

#[test]
fn no_fork_outlives_surefoot() {
    for signal in [Signal::INT, Signal::KILL] {
        let project = project(
            "
def test_hang():
    if not is_usual():
        note('hangs')
        time.sleep(1000)
",
        );
        let running = start(&project, FEW_PLUGINS, &["assumptions", "--timeout-floor", "60"]);
        wait_until("a fork hangs", || notes(&project).iter().any(|note| note == "hangs"));
        let processes = descendants(running.pid());
        assert!(processes.len() > 1, "the parent and a worker: {processes:?}");
        running.signal(signal);
        running.end();
        wait_until_gone(&processes);
    }
}
