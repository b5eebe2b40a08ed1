//! Every framework on every JDK: seen whole, left as it was, run again.

use std::collections::BTreeMap;

use surefoot_model::event::VmSeen;
use surefoot_model::{ClassSetup, Event, TestId, VmEnd, Watch};

use crate::frameworks::{Fixture, JUNIT3, JUNIT4, PLATFORM_1, PLATFORM_6, PLATFORM_6_1, TESTNG};
use crate::support::{self, Place};

macro_rules! on {
    ($($jdk:ident $version:literal: $($name:ident $fixture:ident),*;)*) => {$(
        mod $jdk {
            #[test]
            fn a_program_without_tests_is_left_alone() {
                super::left_alone($version);
            }
            $(mod $name {
                #[test]
                fn every_test_is_recorded_and_the_output_stays_the_same() {
                    crate::matrix::recorded($version, &crate::matrix::$fixture);
                }

                #[test]
                fn a_worker_runs_the_tests_again_in_any_order_as_often_as_asked() {
                    crate::matrix::run_again($version, &crate::matrix::$fixture);
                }
            })*
        }
    )*};
}

on! {
    jdk_11 11: junit3 JUNIT3, junit4 JUNIT4, platform_1 PLATFORM_1, testng TESTNG;
    jdk_17 17: junit3 JUNIT3, junit4 JUNIT4, platform_1 PLATFORM_1, platform_6 PLATFORM_6, platform_6_1 PLATFORM_6_1, testng TESTNG;
    jdk_21 21: junit3 JUNIT3, junit4 JUNIT4, platform_1 PLATFORM_1, platform_6 PLATFORM_6, platform_6_1 PLATFORM_6_1, testng TESTNG;
    jdk_25 25: junit3 JUNIT3, junit4 JUNIT4, platform_1 PLATFORM_1, platform_6 PLATFORM_6, platform_6_1 PLATFORM_6_1, testng TESTNG;
}

fn left_alone(jdk: u32) {
    let place = Place::new();
    let java = support::java(jdk);
    let main = ["-cp".to_owned(), support::classes(), "plain.Main".to_owned()];
    let without = place.run(&java, &main);
    assert_eq!((without.status, &*without.stdout, &*without.stderr), (Some(3), "out\n", "err\n"));
    for verify in [&[][..], &["-Xverify:all".to_owned()]] {
        let with = place.run(&java, &[verify, &[place.watch_option()], &main].concat());
        assert_eq!(with, without);
    }
    assert_eq!(
        place.records_folder().read_dir().expect("the folder is there").count(),
        0,
        "a record without tests"
    );
}

fn recorded(jdk: u32, fixture: &Fixture) {
    let java = support::java(jdk);
    let arguments = fixture.arguments();
    let without = Place::new().run(&java, &arguments);
    assert_eq!(without.status, Some(fixture.status), "{without:?}");
    for verify in [&[][..], &["-Xverify:all".to_owned()]] {
        let place = Place::new();
        let with = place.run(&java, &[verify, &[place.watch_option()], &arguments].concat());
        assert_eq!(with.status, without.status);
        assert_eq!(with.stderr, without.stderr);
        assert_eq!(support::without_times(&with.stdout), support::without_times(&without.stdout));

        let records = place.records();
        assert_eq!(records.len(), 1);
        let Some((Event::Vm(seen), events)) = records[0].split_first() else {
            panic!("{records:?}")
        };
        assert_eq!(in_turn(events), fixture.runs.iter().filter(|run| run.2).count());
        check_launch(seen, &java.display().to_string());
        check_watch(&place.watch(), fixture);
    }
}

/// Every start is followed by its own end; how many there are.
fn in_turn(events: &[Event]) -> usize {
    let mut started = None;
    let mut count = 0;
    for event in events {
        match event {
            Event::Started { test, .. } => {
                assert_eq!(started.replace(test), None, "two tests at a time");
                count += 1;
            }
            Event::Finished { test, .. } => {
                if let Some(started) = started.take() {
                    // TestNG's parameters are shown at the end only.
                    assert_eq!(test.address, started.address);
                }
            }
            other => assert_eq!(started, None, "{other:?}"),
        }
    }
    assert_eq!(events.last(), Some(&Event::Ended));
    count
}

fn check_launch(seen: &VmSeen, java: &str) {
    assert_eq!(seen.ancestors.first(), Some(&std::process::id()));
    assert_eq!(seen.executable, java);
    assert_eq!(seen.argv[0], java);
}

fn check_watch(watch: &Watch, fixture: &Fixture) {
    assert_eq!(watch.troubles, [""; 0]);
    let [vm] = &watch.vms[..] else { panic!("{:?}", watch.vms) };
    assert_eq!(vm.end, VmEnd::Orderly);
    assert!(vm.runs.iter().all(|run| !run.overlapped));
    let expected: Vec<(String, String)> = fixture
        .runs
        .iter()
        .map(|(test, result, _)| ((*test).to_owned(), (*result).to_owned()))
        .collect();
    assert_eq!(support::brief_runs(watch), expected);
    let tests: Vec<&TestId> = watch.tests.keys().collect();
    let mut distinct: Vec<&TestId> = vm.runs.iter().map(|run| &run.test).collect();
    distinct.sort();
    distinct.dedup();
    assert_eq!(tests, distinct);
    let failures: Vec<(&str, String)> = watch
        .class_failures
        .iter()
        .map(|failure| (failure.container.id.as_str(), failure.thrown.headline()))
        .collect();
    let expected: Vec<(&str, String)> =
        fixture.class_failures.iter().map(|(name, thrown)| (*name, (*thrown).to_owned())).collect();
    assert_eq!(failures, expected);
}

fn run_again(jdk: u32, fixture: &Fixture) {
    let mut place = Place::new();
    place.inject(None);
    let java = support::java(jdk);
    // The worker gets both options again.
    let options = [place.trace_option(), "-Xverify:all".to_owned()];
    let ended = place.run(&java, &[&options[..], &fixture.arguments()].concat());
    assert_eq!(ended.status, Some(fixture.status), "{ended:?}");
    assert_eq!(place.take_trace(), fixture.trace);
    let watch = place.watch();
    check_watch(&watch, fixture);
    let watched: BTreeMap<&TestId, String> =
        watch.runs().map(|run| (&run.test, support::brief(&run.result))).collect();

    let mut worker = support::start_worker(&watch);
    let twice_from_the_end: Vec<TestId> = watch
        .runs()
        .collect::<Vec<_>>()
        .into_iter()
        .rev()
        .flat_map(|run| [run.test.clone(), run.test.clone()])
        .collect();
    let everything = [
        (twice_from_the_end.clone(), ClassSetup::Shared, fixture.reversed_shared),
        (twice_from_the_end, ClassSetup::PerRun, fixture.reversed_per_run),
    ];
    let orders = fixture.orders.iter().map(|order| {
        (order.tests.iter().map(|id| TestId::from(*id)).collect(), order.class_setup, order.trace)
    });
    for (tests, class_setup, trace) in everything.into_iter().chain(orders) {
        let results: Vec<String> =
            support::run_in(&mut *worker, &tests, class_setup).iter().map(support::brief).collect();
        let expected: Vec<String> = tests.iter().map(|test| watched[test].clone()).collect();
        assert_eq!(results, expected, "{class_setup:?} {tests:?}");
        assert_eq!(place.take_trace(), trace, "{class_setup:?} {tests:?}");
    }
}
