//! Tests that break their VM: the guilty run gets a result with the cause, and every other one gets its own.

use std::fs;
use std::thread;
use std::time::Duration;

use crate::support::{Ended, FAULTS, Project, tools, wait_until};

/// Runs all classes with one fault, and checks that only the guilty run ended otherwise than watched, or none.
#[track_caller]
fn run_with(fault: &str, guilty: Option<(&str, &str)>) -> (Project, Ended) {
    let project = Project::of_faults();
    project.set_fault(fault);
    let ended =
        project.run(&["run", "--format", "json", "--timeout-floor", "2", "--timeout-factor", "1"]);
    ended.expect(if guilty.is_some() { 1 } else { 0 });
    assert_only(&ended, guilty);
    (project, ended)
}

#[track_caller]
fn assert_only(ended: &Ended, guilty: Option<(&str, &str)>) {
    let mut expected = Vec::new();
    for class in FAULTS {
        for method in ["a_before", "b_fault", "c_after"] {
            let status = match guilty {
                Some((guilty, status)) if guilty == *class && method == "b_fault" => status,
                _ => "passed",
            };
            expected.push((format!("faults.{class}#{method}"), vec![status.to_owned()]));
        }
    }
    assert_eq!(Project::results(ended), expected, "{}", ended.stderr);
}

/// What the report for people says of the guilty run.
#[track_caller]
fn says(project: &Project, class: &str, words: &str) {
    let ended = project.run(&["run", class, "--timeout-floor", "2", "--timeout-factor", "1"]);
    ended.expect(1).says(words).says("3 runs: 2 passed, 1 ");
}

#[test]
fn a_test_that_exits_died_with_the_status() {
    let (project, _) = run_with("exit", Some(("ExitTest", "died")));
    says(
        &project,
        "ExitTest",
        "NOT REPLAYABLE  faults.ExitTest#b_fault\n  passed → died: the VM exited with status 3\n",
    );
}

#[test]
fn a_test_that_halts_the_vm_died_with_the_status() {
    let (project, _) = run_with("halt", Some(("HaltTest", "died")));
    says(&project, "HaltTest", "passed → died: the VM exited with status 4\n");
}

#[test]
fn a_test_that_runs_out_of_memory_fails_and_its_vm_goes_on() {
    let (project, ended) = run_with("oom", Some(("OutOfMemoryTest", "failed")));
    let vms = ended.json()["tests"]
        .as_array()
        .unwrap()
        .iter()
        .map(|test| test["runs"][0]["vm"].as_u64())
        .max();
    assert_eq!(vms, Some(Some(0)), "no other VM was needed");
    says(
        &project,
        "OutOfMemoryTest",
        "passed → failed: java.lang.OutOfMemoryError: Java heap space\n",
    );
}

#[test]
fn a_vm_that_gives_up_without_memory_died() {
    let (project, _) = run_with("oom-exit", Some(("OutOfMemoryExitTest", "died")));
    says(&project, "OutOfMemoryExitTest", "passed → died: the VM exited with status 3\n");
}

#[test]
fn a_vm_told_to_exit_without_memory_died_even_if_another_test_would_have_caught_it() {
    let project = Project::new();
    let mut command = vec!["watch".to_owned(), "--".to_owned()];
    command.extend(crate::support::faults_command(&["OutOfMemoryTest", "ThreadsTest"]));
    command.insert(3, "-XX:+ExitOnOutOfMemoryError".to_owned());
    project.run(&command).expect(0);
    project.set_fault("oom");
    let ended = project.run(&["run"]);
    ended
        .expect(1)
        .says("passed → died: the VM exited with status 3\n")
        .says("6 runs: 5 passed, 1 died");
}

#[test]
fn a_vm_that_crashes_died_and_leaves_its_report_with_the_records_and_not_in_the_project() {
    let (project, _) = run_with("crash", Some(("CrashTest", "died")));
    let entries = |path: &str| -> Vec<String> {
        let entries = fs::read_dir(project.path().join(path)).unwrap();
        entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect()
    };
    assert_eq!(entries("."), [".surefoot"]);
    let reports: Vec<String> =
        entries(".surefoot/runs/0001").into_iter().filter(|name| name != "run.jsonl").collect();
    assert!(matches!(&reports[..], [one] if one.starts_with("hs_err_pid")), "{reports:?}");
    says(
        &project,
        "CrashTest",
        "passed → died: the VM was killed by SIGABRT (a crash of the VM)\n",
    );
}

#[test]
fn a_test_that_hangs_is_timed_out_and_the_rest_goes_on_in_another_vm() {
    let (project, _) = run_with("hang", Some(("HangTest", "timed-out")));
    says(&project, "HangTest", "passed → timed out: still running after 2.0 s\n");
}

#[test]
fn a_gigabyte_of_output_takes_no_memory() {
    let project = Project::of_faults();
    project.set_fault("flood");
    let mut running = project.start(&["run", "--format", "json"]);
    let mut most = 0;
    while running.is_running() {
        let status =
            fs::read_to_string(format!("/proc/{}/status", running.pid())).unwrap_or_default();
        let peak = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
        let peak = peak
            .and_then(|text| text.trim().strip_suffix(" kB"))
            .and_then(|number| number.parse::<u64>().ok());
        most = most.max(peak.unwrap_or(0));
        thread::sleep(Duration::from_millis(10));
    }
    assert!((1..200 * 1024).contains(&most), "{most} kB");
    let ended = running.end();
    assert_only(ended.expect(0), None);
}

#[test]
fn a_test_that_closes_the_standard_output_takes_nothing_from_the_others() {
    run_with("close-out", None);
}

#[test]
fn a_test_that_prints_every_byte_disturbs_nothing() {
    run_with("garbage", None);
}

#[test]
fn threads_that_a_test_leaves_behind_do_not_keep_the_vm() {
    let (project, _) = run_with("threads", None);
    wait_until("no VM of this project is left", || {
        let mine = project.path().display().to_string();
        !crate::support::processes().iter().any(|process| {
            let directory = fs::read_link(format!("/proc/{}/cwd", process.pid)).unwrap_or_default();
            process.name == "java" && directory.starts_with(&mine)
        })
    });
}

#[test]
fn the_cause_and_the_output_of_a_dead_vm_are_kept() {
    let (project, _) = run_with("crash", Some(("CrashTest", "died")));
    let records = fs::read_to_string(project.path().join(".surefoot/runs/0001/run.jsonl")).unwrap();
    let guilty = records.lines().find(|line| line.contains("\"died\"")).unwrap();
    assert!(
        guilty.contains("A fatal error has been detected by the Java Runtime Environment"),
        "{guilty}"
    );
}

#[test]
fn a_test_that_dies_when_watched_is_seen_and_dies_again() {
    let project = Project::new();
    project.set_fault("halt");
    let ended = project.watch_faults(&["ExitTest", "HaltTest", "HangTest"]);
    ended.expect(1).says("saw 5 tests in 1 VM: 4 passed, 1 died");
    ended.says("warning: 1 test VM(s) ended without a word: crashed, halted or killed");
    ended.says("your command failed (exit status: 4); its output is above");
    project.run(&["run"]).expect(0).says("5 runs: 4 passed, 1 died");
}

#[test]
fn the_fixtures_are_compiled_where_the_tests_look_for_them() {
    for class in FAULTS {
        assert!(tools().faults.join(format!("faults/{class}.class")).is_file(), "{class}");
    }
}
