//! Ctrl-C, a polite end, and no time for politeness: nothing is lost and nobody is left behind.

use std::fs;
use std::os::unix::process::CommandExt;
use std::time::{Duration, Instant};

use rustix::process::{Pid, Signal, kill_process_group};

use crate::pytest::{NEWEST, project_of, pytest};
use crate::support::{
    Process, Project, Running, descendants, faults_command, wait_until, wait_until_gone,
};

/// `surefoot run` at the test that hangs, when six others have passed.
fn run_at_the_hang(project: &Project) -> (Running, Vec<Process>) {
    project.set_fault("hang");
    let running = project.start(&[
        "run",
        "HaltTest",
        "ExitTest",
        "HangTest",
        "ThreadsTest",
        "--order",
        "given",
    ]);
    let record = project.path().join(".surefoot/runs/0001/run.jsonl");
    wait_until("seven runs have ended", || {
        fs::read_to_string(&record)
            .unwrap_or_default()
            .lines()
            .filter(|line| line.starts_with("{\"run\""))
            .count()
            == 7
    });
    let vms = descendants(running.pid());
    assert!(!vms.is_empty());
    (running, vms)
}

/// `surefoot watch` at the test that hangs.
fn watch_at_the_hang(project: &Project) -> (Running, Vec<Process>) {
    project.set_fault("hang");
    let mut arguments = vec!["watch".to_owned(), "--".to_owned()];
    arguments.extend(faults_command(&["HaltTest", "HangTest", "ThreadsTest"]));
    let running = project.start(&arguments);
    wait_until("the test that hangs has begun", || {
        let watches = project.path().join(".surefoot/watches/0001/vms");
        let Ok(mut entries) = fs::read_dir(watches) else {
            return false;
        };
        entries.any(|entry| {
            let text = fs::read_to_string(entry.unwrap().path()).unwrap_or_default();
            text.lines().any(|line| line.contains("b_fault(faults.HangTest)"))
        })
    });
    let processes = descendants(running.pid());
    assert!(!processes.is_empty());
    (running, processes)
}

fn can_be_used_again(project: &Project) {
    project.set_fault("");
    project.run(&["run", "HaltTest"]).expect(0).says("3 runs: 3 passed");
}

#[test]
fn a_run_that_is_stopped_keeps_its_results_and_leaves_no_vm() {
    for signal in [Signal::INT, Signal::TERM, Signal::HUP] {
        let project = Project::of_faults();
        let (running, vms) = run_at_the_hang(&project);
        running.signal(signal);
        let ended = running.end();
        wait_until_gone(&vms);
        ended.expect(2);
        ended.says("surefoot: error: stopped before the end; the results so far are kept in [project]/.surefoot/runs/0001\n");
        ended.says("7 runs: 7 passed");
        can_be_used_again(&project);
    }
}

#[test]
fn a_watched_command_is_stopped_with_surefoot_and_what_was_seen_is_kept() {
    for signal in [Signal::INT, Signal::TERM] {
        let project = Project::new();
        let (running, processes) = watch_at_the_hang(&project);
        running.signal(signal);
        let ended = running.end();
        wait_until_gone(&processes);
        ended
            .expect(2)
            .says("surefoot: error: stopped before the end; what was seen of 5 tests is kept\n");
        project.run(&["tests"]).expect(0).says("5 runs of 5 tests in 1 VM: 4 passed, 1 died");
        can_be_used_again(&project);
    }
}

/// At a terminal, Ctrl-C goes to every process in the foreground.
#[test]
fn control_c_at_a_terminal_ends_the_watched_command_at_once() {
    let project = Project::new();
    let mut arguments = vec!["watch".to_owned(), "--".to_owned()];
    arguments.extend(faults_command(&["HangTest"]));
    project.set_fault("hang");
    let mut command = project.command(&arguments);
    command.process_group(0);
    let running = project.start_command(command);
    wait_until("the tests have begun", || running.stdout().contains("JUnit version"));
    let begun = Instant::now();
    let group = Pid::from_raw(running.pid() as i32).unwrap();
    kill_process_group(group, Signal::INT).unwrap();
    running.end().expect(2).says("surefoot: error: stopped before the end");
    assert!(begun.elapsed() < Duration::from_secs(3), "{:?}", begun.elapsed());
}

#[test]
fn a_command_that_does_not_heed_a_signal_is_killed_by_the_next() {
    let project = Project::new();
    let mut running = project.start(&[
        "watch",
        "--",
        "bash",
        "-c",
        "trap '' INT TERM; echo ready; while :; do sleep 0.1; done",
    ]);
    wait_until("the command runs", || running.stdout().contains("ready"));
    // Two signals at once are taken for one.
    wait_until("the command is killed", || {
        running.signal(Signal::TERM);
        !running.is_running()
    });
    running.end().expect(2).says("stopped before the end; what was seen of 0 tests is kept");
}

/// As `timeout` ends what takes too long: the process gets the signal, and its group with all VMs, and so the process again.
#[test]
fn a_run_that_is_stopped_with_its_whole_group_keeps_its_results() {
    let project = Project::of_faults();
    let (running, vms) = run_at_the_hang(&project);
    for _ in 0..20 {
        running.signal(Signal::TERM);
    }
    let ended = running.end();
    wait_until_gone(&vms);
    ended.expect(2).says("surefoot: error: stopped before the end; the results so far are kept in");
    ended.says("7 runs: 7 passed");
}

#[test]
fn a_run_that_is_killed_leaves_no_vm_and_a_store_that_can_be_used() {
    let project = Project::of_faults();
    let (running, vms) = run_at_the_hang(&project);
    running.signal(Signal::KILL);
    assert_eq!(running.end().signal, Some(9));
    wait_until_gone(&vms);
    can_be_used_again(&project);
}

#[test]
fn a_watch_that_is_killed_leaves_no_vm_and_says_so_later() {
    let project = Project::new();
    let (running, processes) = watch_at_the_hang(&project);
    running.signal(Signal::KILL);
    assert_eq!(running.end().signal, Some(9));
    wait_until_gone(&processes);
    let ended = project.run(&["tests"]);
    ended.expect(0).says("5 runs of 5 tests in 1 VM: 4 passed, 1 died");
    ended.says("was not watched to its end: Surefoot was killed meanwhile, or is still at it");
    can_be_used_again(&project);
}

#[test]
fn maven_and_its_test_vm_end_with_a_surefoot_that_is_killed() {
    let project = Project::copy_of("faults");
    project.set_fault("hang");
    let running = project.start(&["watch", "--", "mvn", "-q", "-B", "test", "-Dtest=HangTest"]);
    let surefire = |processes: &[Process]| {
        processes.iter().any(|process| process.command_line.contains("surefirebooter"))
    };
    wait_until("the test that hangs has begun", || {
        surefire(&descendants(running.pid()))
            && project.path().join(".surefoot/watches/0001/vms").read_dir().is_ok_and(
                |mut entries| {
                    entries.any(|entry| {
                        fs::read_to_string(entry.unwrap().path())
                            .unwrap_or_default()
                            .contains("b_fault")
                    })
                },
            )
    });
    let processes = descendants(running.pid());
    running.signal(Signal::KILL);
    assert_eq!(running.end().signal, Some(9));
    wait_until_gone(&processes);
}

/// What the suite backwards shows, nobody knows yet.
#[test]
fn pollution_that_is_stopped_says_what_was_not_ruled_out() {
    let project = project_of(
        r#"
import pathlib, time

left = []

def test_leaves():
    left.append(1)

def test_hangs_where_it_comes_first():
    if not left:
        pathlib.Path("hangs").touch()
        time.sleep(60)
"#,
    );
    let pytest = pytest(NEWEST);
    let running = project.start(&["pollution", "--no-files", "--", &pytest, "-q"]);
    wait_until("the suite runs backwards", || project.path().join("hangs").exists());
    running.signal(Signal::INT);
    let ended = running.end();
    ended.expect(2).says("stopped before all tests ran in the opposite order");
    ended.says("test_it.left[0] was added: 1");
}
