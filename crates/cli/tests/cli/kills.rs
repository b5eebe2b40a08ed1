//! Test VMs that are killed at any moment: while they start, while they wait, in the middle of a test, at their end.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::thread;
use std::time::{Duration, Instant};

use rustix::process::{Pid, PidfdFlags, Signal, pidfd_open, pidfd_send_signal};
use serde_json::Value;

use crate::support::{Ended, FAULTS, Project, Running, children};

const KILLS: usize = 200;
const REPEAT: usize = 40;

/// A VM is alive for some time shorter than this: long enough for most to get to their tests.
const LONGEST_LIFE_MS: u64 = 500;

#[test]
fn every_run_has_one_result_however_often_and_whenever_its_vm_is_killed() {
    let project = Project::of_faults();
    project.set_fault("slow");
    let mut random = Random(0x5eed_5eed_5eed_5eed);
    let mut killed = 0;
    let mut rounds = 0;
    while killed < KILLS {
        rounds += 1;
        let repeat = REPEAT.to_string();
        let mut running = project.start(&[
            "run",
            "--format",
            "json",
            "--repeat",
            &repeat,
            "--fresh-vm-per",
            "class",
        ]);
        let now = kill_vms(&mut running, KILLS - killed, &mut random);
        killed += now;
        check(&project, &running.end(), now);
        assert!(rounds < 50, "only {killed} kills in {rounds} rounds");
    }
}

/// Kills each VM that the command starts after a while, until enough are killed or the command ends; says how many it was.
fn kill_vms(running: &mut Running, most: usize, random: &mut Random) -> usize {
    let surefoot = running.pid();
    let mut ends: BTreeMap<u32, Instant> = BTreeMap::new();
    let mut killed = 0;
    while killed < most && running.is_running() {
        for vm in children(surefoot) {
            let end = *ends.entry(vm.pid).or_insert_with(|| {
                Instant::now() + Duration::from_millis(random.below(LONGEST_LIFE_MS))
            });
            if Instant::now() >= end && kill(vm.pid, surefoot) {
                killed += 1;
            }
        }
        thread::sleep(Duration::from_millis(1 + random.below(4)));
    }
    killed
}

/// The number of a process that has ended may belong to another one by now, so it is held fast before it is looked at.
fn kill(pid: u32, parent: u32) -> bool {
    let Some(number) = Pid::from_raw(pid as i32) else {
        return false;
    };
    let Ok(process) = pidfd_open(number, PidfdFlags::empty()) else {
        return false;
    };
    children(parent).iter().any(|child| child.pid == pid)
        && pidfd_send_signal(process, Signal::KILL).is_ok()
}

fn check(project: &Project, ended: &Ended, killed: usize) {
    let results = Project::results(ended);
    assert_eq!(results.len(), 3 * FAULTS.len());
    let mut died = 0;
    for (test, statuses) in &results {
        assert_eq!(statuses.len(), REPEAT, "{test}");
        for status in statuses {
            match status.as_str() {
                "passed" => {}
                "died" => died += 1,
                other => panic!("{test}: {other}"),
            }
        }
    }
    assert!(died <= killed, "{died} died of {killed} kills\n{}", ended.stderr);
    ended.expect(if died == 0 { 0 } else { 1 });
    assert!(ended.stdout.matches("\"signal\": 9").count() == died, "{}", ended.stdout);
    check_record(project, died);
}

/// The store has each run once, as it was reported.
fn check_record(project: &Project, died: usize) {
    let mut runs: Vec<_> = fs::read_dir(project.path().join(".surefoot/runs"))
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .collect();
    runs.sort();
    let text = fs::read_to_string(runs.last().unwrap().join("run.jsonl")).unwrap();
    let lines: Vec<Value> = text.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let runs: Vec<&Value> = lines.iter().filter_map(|line| line.get("run")).collect();
    let places: BTreeSet<(u64, u64)> = runs
        .iter()
        .map(|run| (run["experiment"].as_u64().unwrap(), run["index"].as_u64().unwrap()))
        .collect();
    assert_eq!(runs.len(), 3 * FAULTS.len() * REPEAT);
    assert_eq!(places.len(), runs.len(), "no run is recorded twice");
    assert_eq!(runs.iter().filter(|run| run["status"] == "died").count(), died);
    assert!(lines.last().unwrap().get("end").is_some());
}

/// Xorshift: the same moments in every run, as far as the machine allows.
struct Random(u64);

impl Random {
    fn below(&mut self, limit: u64) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0 % limit
    }
}
