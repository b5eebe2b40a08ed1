//! From the records of a command's VMs to a [`Watch`].

use std::collections::{BTreeMap, BTreeSet};

use surefoot_model::event::{PROTOCOL, SeenTest, VmSeen};
use surefoot_model::{
    ClassChange, ClassFailure, Death, Event, Launch, RunResult, Test, TestId, VmEnd, Watch,
    WatchedRun, WatchedVm,
};

/// What only those who know the VM's language can tell.
pub trait Language {
    /// From what a VM told of itself to a launch that starts one like it.
    fn launch(&self, seen: &VmSeen) -> Launch;

    /// Gives a test a name that people can read and type.
    fn test(&self, seen: SeenTest) -> Test;
}

/// One list of events for each VM's record; `language` says how to read what a VM tells.
pub fn watch<'l>(
    records: Vec<Vec<Event>>,
    language: impl Fn(&VmSeen) -> &'l dyn Language,
) -> Watch {
    let mut watch = Watch::default();
    let mut vms: Vec<(VmSeen, Vec<Event>)> = Vec::new();
    for record in records {
        let mut events = record.into_iter();
        while let Some(event) = events.next() {
            match event {
                Event::Vm(seen) if seen.protocol == PROTOCOL => {
                    vms.push((seen, events.by_ref().collect()));
                }
                Event::Vm(seen) => watch.troubles.push(format!(
                    "the record of VM {} was written by another version of Surefoot",
                    seen.pid
                )),
                Event::Trouble { what } => watch.troubles.push(what),
                // Tests of a VM whose launch is unknown cannot be run again, nor told apart.
                _ => {}
            }
        }
    }
    // A test may start VMs that run tests: they are the test's business.
    let pids: BTreeSet<u32> = vms.iter().map(|(seen, _)| seen.pid).collect();
    vms.retain(|(seen, _)| seen.ancestors.iter().all(|ancestor| !pids.contains(ancestor)));
    vms.sort_by_key(|(seen, _)| (seen.loaded_at_ms, seen.pid));
    for (seen, events) in vms {
        let language = language(&seen);
        let launch = language.launch(&seen);
        let id = launch.id();
        watch.launches.entry(id.clone()).or_insert(launch);
        let mut vm = WatchedVm {
            pid: seen.pid,
            launch: id,
            runs: Vec::new(),
            class_changes: Vec::new(),
            end: VmEnd::Abrupt,
        };
        read(&mut watch, &mut vm, events, language);
        watch.vms.push(vm);
    }
    watch
}

fn read(watch: &mut Watch, vm: &mut WatchedVm, events: Vec<Event>, language: &dyn Language) {
    let mut unfinished: Vec<SeenTest> = Vec::new();
    let (mut change, mut change_together, mut change_before) = (None, None, None);
    for event in events {
        match event {
            Event::Started { test, .. } => unfinished.push(test),
            Event::Finished { test, duration_us, result, overlapped, .. } => {
                if let Some(index) = unfinished.iter().rposition(|t| t.address == test.address) {
                    unfinished.remove(index);
                }
                let test = known(&mut watch.tests, language.test(test));
                vm.runs.push(WatchedRun {
                    test,
                    result,
                    duration_us,
                    overlapped,
                    change: change.take(),
                    change_together: change_together.take(),
                    change_before: change_before.take(),
                });
            }
            Event::Changed { tests: 0 | 1, change: by_test, .. } => change = Some(by_test),
            Event::Changed { tests, change: together, .. } => {
                // A test that is skipped is not looked at.
                let ran = |run: &&mut WatchedRun| !matches!(run.result, RunResult::Skipped { .. });
                for run in vm.runs.iter_mut().rev().filter(ran).take(tests as usize - 1) {
                    run.change_together = Some(together.clone());
                }
                change_together = Some(together);
            }
            Event::ChangedAround { change: around, .. } => change_before = Some(around),
            Event::ClassChanged { class, change, .. } => {
                vm.class_changes.push(ClassChange { class, change });
            }
            Event::ContainerFailed { container, thrown } => {
                watch
                    .class_failures
                    .push(ClassFailure { container: language.test(container), thrown });
            }
            Event::Trouble { what } => watch.troubles.push(what),
            Event::Classes { initialised } => watch.classes.extend(initialised),
            Event::Ended => vm.end = VmEnd::Orderly,
            Event::Vm(_) | Event::Chose { .. } | Event::Done { .. } => {}
        }
    }
    // The VM says that it ends when it is halted too; no end in the middle of a test is orderly.
    if !unfinished.is_empty() {
        vm.end = VmEnd::Abrupt;
    }
    for test in unfinished {
        let test = known(&mut watch.tests, language.test(test));
        let result = RunResult::Died { death: Death::Lost };
        vm.runs.push(WatchedRun {
            test,
            result,
            duration_us: 0,
            overlapped: false,
            change: None,
            change_together: None,
            change_before: None,
        });
    }
}

/// Files a test under its id; another test that got the same id by accident is told apart by its address.
fn known(tests: &mut BTreeMap<TestId, Test>, mut test: Test) -> TestId {
    if tests.get(&test.id).is_some_and(|other| other.address != test.address) {
        test.id = TestId(format!("{} {{{}}}", test.id, test.address));
    }
    let id = test.id.clone();
    tests.insert(id.clone(), test);
    id
}

#[cfg(test)]
mod tests {
    use super::*;
    use surefoot_model::Framework;

    /// Names a test after the end of its address.
    struct Plain;

    impl Language for Plain {
        fn launch(&self, seen: &VmSeen) -> Launch {
            Launch {
                executable: seen.executable.clone(),
                options: Vec::new(),
                class_path: Vec::new(),
                class_path_property: String::new(),
                properties: BTreeMap::new(),
                configuration: BTreeMap::new(),
                environment: BTreeMap::new(),
                directory: seen.directory.clone(),
                pytest: None,
            }
        }

        fn test(&self, seen: SeenTest) -> Test {
            let id = seen.address.rsplit('>').next().unwrap_or_default();
            Test {
                id: TestId::from(id),
                framework: seen.framework,
                class: seen.class,
                method: seen.method,
                address: seen.address,
                display: seen.display,
                legacy: seen.legacy,
                written_for: seen.written_for,
            }
        }
    }

    fn watch(records: Vec<Vec<Event>>) -> Watch {
        super::watch(records, |_| &Plain)
    }

    fn vm(pid: u32, parent_pid: u32, loaded_at_ms: u64) -> Event {
        Event::Vm(VmSeen {
            protocol: PROTOCOL,
            pid,
            ancestors: vec![parent_pid, 1],
            loaded_at_ms,
            executable: "java".into(),
            argv: vec!["java".into(), "Main".into()],
            argument_files: BTreeMap::new(),
            directory: "/".into(),
            environment: BTreeMap::new(),
            properties: BTreeMap::new(),
            pathing_jars: BTreeMap::new(),
            loader_path: Vec::new(),
            loader_first: false,
            configuration: BTreeMap::new(),
            pytest: None,
        })
    }

    fn seen(address: &str) -> SeenTest {
        SeenTest {
            framework: Framework::JUnit4,
            address: address.into(),
            class: "a.B".into(),
            method: None,
            display: address.into(),
            legacy: None,
            written_for: None,
        }
    }

    fn started(address: &str) -> Event {
        Event::Started { test: seen(address), at_ms: 0 }
    }

    fn passed(address: &str) -> Event {
        Event::Finished {
            test: seen(address),
            at_ms: 1,
            duration_us: 5,
            result: RunResult::Passed,
            overlapped: false,
        }
    }

    #[test]
    fn vms_come_in_the_order_in_which_they_started() {
        let watch = watch(vec![
            vec![vm(7, 1, 20), started("x(a.B)"), passed("x(a.B)"), Event::Ended],
            vec![vm(9, 1, 10), Event::Ended],
        ]);
        assert_eq!(watch.vms.iter().map(|vm| vm.pid).collect::<Vec<_>>(), [9, 7]);
        assert_eq!(watch.vms[1].runs[0].test, TestId::from("x(a.B)"));
        assert_eq!(watch.launches.len(), 1);
    }

    #[test]
    fn vms_that_tests_start_are_left_out() {
        let watch = watch(vec![vec![vm(7, 1, 0)], vec![vm(8, 7, 1), passed("x(a.B)")]]);
        assert_eq!(watch.vms.len(), 1);
        assert!(watch.tests.is_empty());
    }

    #[test]
    fn a_test_without_an_end_died_with_its_vm() {
        let watch = watch(vec![vec![vm(7, 1, 0), started("x(a.B)")]]);
        assert_eq!(watch.vms[0].end, VmEnd::Abrupt);
        assert_eq!(watch.vms[0].runs[0].result, RunResult::Died { death: Death::Lost });
    }

    #[test]
    fn two_tests_that_would_share_an_id_do_not() {
        let watch = watch(vec![vec![vm(7, 1, 0), passed("a.B"), passed("a.S>a.B"), passed("a.B")]]);
        assert_eq!(watch.tests.len(), 2);
    }
}
