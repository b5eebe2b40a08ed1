//! Processes that a watched pytest leaves behind, for workers: nothing need be imported once more, and neither the user's pytest nor whoever
//! waits for it notices.

use std::fs;

use rustix::process::Signal;
use serde_json::Value;

use crate::pytest::{NEWEST, project_of, pytest, python, python_3_14};
use crate::support::{Ended, Project, Running, wait_until, wait_until_gone, with_variable};

/// An environment in which pytest starts quickly.
const FEW_PLUGINS: &str = "pytest-8.4";

/// Begins every file of tests below. Each import adds a line to the file `notes`.
const HEAD: &str = "\
import os, signal, sys, threading, time

def note(*words):
    with open(os.environ['NOTES'], 'a') as file:
        print(*words, file=file)

note('import')
SEEN = []
US = os.getpid()
IS_WATCHED = 'surefoot_pytest' not in open('/proc/self/cmdline').read()
";

/// It changes what it shares with others, and so is run again.
const SOUND: &str = "
def test_sound():
    SEEN.append(os.getpid())
";

fn project(source: &str) -> Project {
    project_of(&format!("{HEAD}\n{source}"))
}

fn start(project: &Project, environment: &str, more: &[&str]) -> Running {
    let pytest = pytest(environment);
    let mut command = vec!["rerun", "--format", "json", "--", &pytest, "-q"];
    if environment == NEWEST {
        // It starts a thread.
        command.extend(["-p", "no:rerunfailures"]);
    }
    let mut command = project.command(&[&command[..], more].concat());
    command.env("NOTES", project.beside("notes"));
    project.start_command(command)
}

fn notes(project: &Project, which: &str) -> usize {
    let text = fs::read_to_string(project.beside("notes")).unwrap_or_default();
    text.lines().filter(|line| *line == which).count()
}

/// How the runs of the tests ended that came after the watched one.
fn runs(project: &Project) -> Vec<String> {
    let runs = project.path().join(".surefoot/runs/0001/run.jsonl");
    let record = fs::read_to_string(runs).unwrap();
    let lines = record.lines().map(|line| serde_json::from_str::<Value>(line).unwrap());
    let runs = lines.filter_map(|line| Some(line.get("run")?["status"].as_str()?.to_owned()));
    runs.collect()
}

fn findings(ended: &Ended) -> usize {
    ended.json()["findings"].as_array().unwrap().len()
}

#[test]
fn what_passes_twice_is_imported_once_whatever_the_pytest_and_the_python() {
    let all = ["pytest-7.0", "pytest-7.4", "pytest-8.1", "pytest-8.4", NEWEST];
    for environment in all.into_iter().chain(python_3_14()) {
        let project = project(SOUND);
        start(&project, environment, &[]).end().expect(0);
        assert_eq!(runs(&project), ["passed", "passed"], "{environment}");
        assert_eq!(notes(&project, "import"), 1, "{environment}");
    }
}

#[test]
fn the_users_process_has_no_child_and_runs_nothing_around_the_fork() {
    let project = project(
        "
os.register_at_fork(before=lambda: note('before', os.getpid()), after_in_parent=lambda: note('after'))
os.register_at_fork(before=lambda: print('printed around'))
# As in a Python that was built with the headers of an old kernel.
vars(os).pop('pidfd_open', None)

def test_sound():
    SEEN.append(1)
    if os.getpid() == US:
        try:
            os.waitpid(-1, os.WNOHANG)
            assert False, 'a child'
        except ChildProcessError:
            note('watched', US)
",
    );
    let ended = start(&project, FEW_PLUGINS, &["-s"]).end();
    ended.expect(0);
    assert_eq!(notes(&project, "import"), 1);
    let text = fs::read_to_string(project.beside("notes")).unwrap();
    let us = text.lines().find_map(|line| line.strip_prefix("watched ")).unwrap();
    assert!(text.contains("\nbefore "), "{text}");
    assert!(!text.contains(&format!("before {us}")), "{text}");
    assert!(!ended.stderr.contains("printed around"), "{}", ended.stderr);
}

/// A program that waits for the end of what pytest prints must not wait for what was left behind.
#[test]
fn the_output_of_the_users_process_ends_with_it() {
    let project = project(SOUND);
    let line = format!("{} -q | cat && touch read", pytest(FEW_PLUGINS));
    let mut command = project.command(&["rerun", "--", "sh", "-c", &line]);
    command.env("NOTES", project.beside("notes"));
    project.start_command(command).end().expect(0);
    assert!(project.path().join("read").exists());
    assert_eq!((runs(&project).len(), notes(&project, "import")), (2, 1));
}

#[test]
fn where_anything_speaks_against_it_workers_are_started() {
    let cases: [(&str, &[&str]); 8] = [
        ("threading.Thread(target=time.sleep, args=(2,), daemon=True).start()", &[]),
        ("signal.signal(signal.SIGCHLD, lambda *_: IS_WATCHED and note('signal'))", &[]),
        ("signal.pthread_sigmask(signal.SIG_BLOCK, [signal.SIGCHLD])", &[]),
        ("OPEN = open('file', 'w')", &[]),
        // A subreaper: what others leave behind comes to it.
        ("import ctypes; ctypes.CDLL(None).prctl(36, 1)", &[]),
        ("sys.setprofile(lambda *_: None)", &[]),
        ("os.register_at_fork(before=lambda: time.sleep(1000))", &[]),
        ("", &["--junit-xml=report.xml"]),
    ];
    for (source, arguments) in cases {
        let project = project(&format!("{source}\n{SOUND}"));
        start(&project, FEW_PLUGINS, arguments).end().expect(0);
        assert_eq!(runs(&project), ["passed", "passed"], "{source} {arguments:?}");
        assert!(notes(&project, "import") > 1, "{source} {arguments:?}");
        assert_eq!(notes(&project, "signal"), 0);
    }
}

/// As a pool of connections does that closes those which a fork has from its parent.
#[test]
fn what_runs_in_forks_does_nothing_to_the_sockets_of_the_users_process() {
    let project = project(
        "
import socket
OURS, THEIRS = socket.socketpair()
os.register_at_fork(after_in_child=lambda: OURS.shutdown(socket.SHUT_RDWR))

def test_sound():
    SEEN.append(1)
    OURS.send(b'word')
    assert THEIRS.recv(4) == b'word'
",
    );
    start(&project, FEW_PLUGINS, &[]).end().expect(0);
}

/// Programs that start another one and wait until all has ended that it started: one gets what others leave behind, one
/// traces all of it, and writes into the project with each call that it sees.
const PATIENT: [&str; 2] = [
    "\
import ctypes, os, sys

ctypes.CDLL(None).prctl(36, 1)
if os.fork() == 0:
    os.execv(sys.argv[1], sys.argv[1:])
try:
    while True:
        os.wait()
except ChildProcessError:
    pass
",
    "\
import ctypes, os, signal, sys

TRACEME, GO_ON, SETOPTIONS, FORKS, ALL = 0, 24, 0x4200, 2 | 4 | 8, 0x40000000
trace = open('trace', 'wb', buffering=0)
ptrace = ctypes.CDLL(None).ptrace
ptrace.argtypes = [ctypes.c_long] * 4
if os.fork() == 0:
    ptrace(TRACEME, 0, 0, 0)
    os.execv(sys.argv[1], sys.argv[1:])
try:
    while True:
        process, status = os.waitpid(-1, ALL)
        if os.WIFSTOPPED(status):
            number = os.WSTOPSIG(status)
            trace.write(b'.')
            ptrace(SETOPTIONS, process, 0, FORKS)
            ptrace(GO_ON, process, 0, 0 if number in (signal.SIGTRAP, signal.SIGSTOP) else number)
except ChildProcessError:
    pass
",
];

#[test]
fn who_waits_for_all_that_the_users_process_started_does_not_wait_for_it() {
    for patient in PATIENT {
        let project = project(SOUND);
        let program = project.beside("patient.py");
        fs::write(&program, patient).unwrap();
        let mut command = project.command(&["rerun", "--", &python()]);
        command.arg(program).arg(pytest(FEW_PLUGINS)).env("NOTES", project.beside("notes"));
        project.start_command(command).end().expect(0);
        assert_eq!(runs(&project), ["passed", "passed"]);
        assert!(notes(&project, "import") > 1, "workers were started");
    }
}

#[test]
fn where_memory_is_short_the_users_process_is_not_the_first_to_go() {
    let project = project(
        "
def test_sound():
    SEEN.append(1)
    with open('/proc/self/oom_score_adj') as more:
        note('watched' if os.getpid() == US else 'forked', int(more.read()))
",
    );
    start(&project, FEW_PLUGINS, &[]).end().expect(0);
    let usual = fs::read_to_string("/proc/self/oom_score_adj").unwrap();
    assert_eq!(notes(&project, &format!("watched {}", usual.trim())), 1);
    assert_eq!(notes(&project, "forked 1000"), 2);
}

#[test]
fn what_the_end_of_the_watched_session_removes_is_made_anew() {
    let project = project(
        "
def test_folder(request):
    SEEN.append(os.listdir(request.config.folder))
",
    );
    let conftest = "\
import shutil, tempfile

def pytest_configure(config):
    config.folder = tempfile.mkdtemp()

def pytest_unconfigure(config):
    shutil.rmtree(config.folder)
";
    fs::write(project.path().join("conftest.py"), conftest).unwrap();
    let ended = start(&project, FEW_PLUGINS, &[]).end();
    ended.expect(0);
    assert_eq!(findings(&ended), 0);
    assert_eq!(runs(&project)[2..], ["passed", "passed"], "the first two were forked");
}

#[test]
fn what_fails_again_there_is_confirmed_in_processes_that_were_started() {
    let project = project(
        "
def test_nio():
    SEEN.append(1)
    assert len(SEEN) == 1
",
    );
    let ended = start(&project, FEW_PLUGINS, &[]).end();
    ended.expect(1);
    assert_eq!(findings(&ended), 1);
    assert_eq!(notes(&project, "import"), 7, "watched, started for it alone, and by five parents");
}

#[test]
fn nothing_that_was_left_behind_outlives_surefoot() {
    for signal in [Signal::INT, Signal::KILL] {
        let project = project(
            "
def test_hang():
    SEEN.append(1)
    if os.getpid() != US:
        note('hangs')
        time.sleep(1000)
",
        );
        let running = start(&project, FEW_PLUGINS, &[]);
        wait_until("a fork hangs", || notes(&project, "hangs") > 0);
        let processes = with_variable("NOTES", &project.beside("notes"));
        assert!(processes.len() > 2, "Surefoot, the parent and a worker: {processes:?}");
        running.signal(signal);
        running.end();
        wait_until_gone(&processes);
    }
}
