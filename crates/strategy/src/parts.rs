//! Parts of a suite, to be run at the same time.

use std::collections::{BTreeMap, BTreeSet};

use surefoot_model::{TestId, Watch, WatchedVm};

/// What a test takes at least: frameworks have work with each, however short it is.
const LEAST_US: u64 = 100;

/// The tests in the order in which they were watched, in about so many parts that took the same time. Tests of one class stay together,
/// and tests of different VMs apart.
pub(crate) fn parts(watch: &Watch, tests: &[TestId], wanted: u32) -> Vec<Vec<TestId>> {
    let mut tests: BTreeSet<&TestId> = tests.iter().collect();
    let vms: Vec<Vec<Class>> = watch.vms.iter().map(|vm| classes(watch, vm, &mut tests)).collect();
    let all: u64 = vms.iter().map(|classes| time(classes)).sum();
    let mut parts = Vec::new();
    for classes in vms {
        let of_vm = time(&classes);
        let number = (of_vm * u64::from(wanted) + all / 2).checked_div(all).unwrap_or(0).max(1);
        let mut by_number: BTreeMap<u64, Vec<TestId>> = BTreeMap::new();
        let mut before = 0;
        for class in classes {
            // Where the middle of the class is.
            let part = (2 * before + class.took_us) * number / (2 * of_vm);
            before += class.took_us;
            by_number.entry(part).or_default().extend(class.tests);
        }
        parts.extend(by_number.into_values());
    }
    parts
}

#[derive(Default)]
struct Class {
    tests: Vec<TestId>,
    took_us: u64,
}

fn time(classes: &[Class]) -> u64 {
    classes.iter().map(|class| class.took_us).sum()
}

/// Of what this VM ran. Takes the tests out of those that are left: one that several VMs ran is that of the first.
fn classes(watch: &Watch, vm: &WatchedVm, left: &mut BTreeSet<&TestId>) -> Vec<Class> {
    let mut classes: Vec<Class> = Vec::new();
    let mut numbers: BTreeMap<&str, usize> = BTreeMap::new();
    for run in &vm.runs {
        let Some(test) = left.take(&run.test) else { continue };
        let name = watch.tests.get(test).map_or("", |test| test.class.as_str());
        let number = *numbers.entry(name).or_insert(classes.len());
        if number == classes.len() {
            classes.push(Class::default());
        }
        classes[number].tests.push(test.clone());
        classes[number].took_us += run.duration_us.max(LEAST_US);
    }
    classes
}

#[cfg(test)]
mod unit_tests {
    use proptest::prelude::*;

    use super::*;
    use crate::samples::watch;

    fn divided(watch: &Watch, wanted: u32) -> Vec<Vec<String>> {
        let tests: Vec<TestId> = watch.tests.keys().cloned().collect();
        let names = |tests: Vec<TestId>| tests.into_iter().map(|test| test.0).collect();
        parts(watch, &tests, wanted).into_iter().map(names).collect()
    }

    #[test]
    fn parts_take_the_same_time_and_classes_stay_together() {
        let mut watch = watch(&[&["C#1", "A#1", "C#2", "B#1", "D#1"]]);
        assert_eq!(divided(&watch, 2), [["C#1", "C#2"].as_slice(), &["A#1", "B#1", "D#1"]]);
        watch.vms[0].runs[4].duration_us = 10_000;
        assert_eq!(divided(&watch, 2), [vec!["C#1", "C#2", "A#1", "B#1"], vec!["D#1"]]);
        assert_eq!(divided(&watch, 1).len(), 1);
    }

    #[test]
    fn what_was_watched_in_different_vms_is_divided_no_further_than_needed() {
        let watch = watch(&[&["A#1", "B#1"], &["C#1", "D#1"], &["A#1"]]);
        assert_eq!(divided(&watch, 2), [["A#1", "B#1"], ["C#1", "D#1"]]);
        assert_eq!(divided(&watch, 4), [["A#1"], ["B#1"], ["C#1"], ["D#1"]]);
    }

    proptest! {
        #[test]
        fn every_test_is_in_one_part(
            sizes in proptest::collection::vec(proptest::collection::vec((1_usize..4, 0_u64..9000), 0..6), 1..4),
            wanted in 1_u32..9,
        ) {
            let mut names: Vec<Vec<String>> = Vec::new();
            for (vm, classes) in sizes.iter().enumerate() {
                let test = |(class, (size, _)): (usize, &(usize, u64))| {
                    (0..*size).map(move |test| format!("V{vm}C{class}#{test}")).collect::<Vec<_>>()
                };
                names.push(classes.iter().enumerate().flat_map(test).collect());
            }
            let names: Vec<Vec<&str>> =
                names.iter().map(|vm| vm.iter().map(String::as_str).collect()).collect();
            let vms: Vec<&[&str]> = names.iter().map(Vec::as_slice).collect();
            let mut watch = watch(&vms);
            for (vm, classes) in watch.vms.iter_mut().zip(&sizes) {
                let times = classes.iter().flat_map(|(size, time)| vec![*time; *size]);
                vm.runs.iter_mut().zip(times).for_each(|(run, time)| run.duration_us = time);
            }
            let parts = divided(&watch, wanted);
            prop_assert_eq!(parts.concat(), names.concat());
            prop_assert!(parts.iter().all(|part| !part.is_empty()));
            let vms = names.iter().filter(|tests| !tests.is_empty()).count();
            prop_assert!(parts.len() <= wanted as usize + vms);
        }
    }
}
