//! What tests of one VM do to what those before them left.
//!
//! A test that only sets back what an earlier one left pollutes nothing. And where set-up resets a place before every test of the suite,
//! no test can see what another one left there.

use std::collections::{BTreeMap, BTreeSet};

use surefoot_model::{Difference, DifferenceKind, StateChange};

/// So many times a place was found reset before it is taken to be so always.
const OFTEN: u32 = 5;

/// The places of one VM, as tests follow each other.
#[derive(Debug, Default)]
pub(super) struct Leavings {
    /// What each place held before the first test changed it, or as code around the tests left it, by path.
    first: BTreeMap<String, Option<String>>,
    /// Where the last test left something, by root.
    of_last: BTreeMap<String, BTreeSet<String>>,
}

/// How often the test after one that left something there set it back, and how often it left it as it was; by root.
#[derive(Debug, Default)]
pub(super) struct Resets(BTreeMap<String, (u32, u32)>);

impl Resets {
    /// Whoever comes next sets it back, each time.
    pub(super) fn are_certain(&self, root: &str) -> bool {
        self.0.get(root).is_some_and(|(set_back, left)| *set_back >= OFTEN && *left == 0)
    }
}

impl Leavings {
    /// Code around the tests changed this since the test before: that is what the tests after it begin with.
    pub(super) fn around(&mut self, change: &StateChange) {
        for difference in &change.differences {
            self.first.insert(difference.path.clone(), difference.after.clone());
            if let Some(paths) = self.of_last.get_mut(&difference.root) {
                paths.remove(&difference.path);
            }
        }
    }

    /// A test of which it is not known what it alone changed.
    pub(super) fn unknown(&mut self) {
        self.of_last.clear();
    }

    /// The next test. Takes out of its change what it set back; tells what the other places held before any test changed them.
    pub(super) fn test(
        &mut self,
        change: &mut StateChange,
        resets: &mut Resets,
    ) -> BTreeMap<String, Option<String>> {
        let is_back: Vec<bool> =
            change.differences.iter().map(|difference| self.sets_back(difference)).collect();
        self.count(change, &is_back, resets);
        let mut is_back = is_back.into_iter();
        change.differences.retain(|_| !is_back.next().unwrap_or(false));
        self.of_last.clear();
        for difference in &change.differences {
            self.note(difference);
            let paths = self.of_last.entry(difference.root.clone()).or_default();
            paths.insert(difference.path.clone());
        }
        let first = |one: &Difference| Some((one.path.clone(), self.first.get(&one.path)?.clone()));
        change.differences.iter().filter_map(first).collect()
    }

    fn count(&self, change: &StateChange, is_back: &[bool], resets: &mut Resets) {
        let changed: BTreeMap<&str, bool> = change
            .differences
            .iter()
            .zip(is_back)
            .map(|(difference, back)| (difference.path.as_str(), *back))
            .collect();
        for (root, paths) in self.of_last.iter().filter(|(_, paths)| !paths.is_empty()) {
            let (set_back, left) = resets.0.entry(root.clone()).or_default();
            let found: Vec<Option<bool>> =
                paths.iter().map(|path| changed.get(path.as_str()).copied()).collect();
            *left += u32::from(found.contains(&None));
            *set_back += u32::from(found.iter().all(|found| *found == Some(true)));
        }
    }

    fn note(&mut self, difference: &Difference) {
        if is_told_by_its_values(difference) {
            let first = self.first.entry(difference.path.clone());
            first.or_insert_with(|| difference.before.clone());
        }
    }

    fn sets_back(&self, difference: &Difference) -> bool {
        is_told_by_its_values(difference)
            && self.first.get(&difference.path).is_some_and(|first| *first == difference.after)
    }
}

/// Two objects may look the same and be different.
fn is_told_by_its_values(difference: &Difference) -> bool {
    let kinds = [DifferenceKind::Value, DifferenceKind::Added, DifferenceKind::Removed];
    kinds.contains(&difference.kind) && difference.before != difference.after
}

#[cfg(test)]
mod unit_tests {
    use super::*;
    use crate::pollution::samples::difference;

    fn change(path: &str, before: &str, after: &str) -> StateChange {
        let differences = vec![difference(path, before, after)];
        StateChange { differences, ..StateChange::default() }
    }

    #[test]
    fn what_sets_back_what_another_left_is_taken_out() {
        let (mut vm, mut resets) = (Leavings::default(), Resets::default());
        let mut left = |before: &str, after: &str| {
            let mut change = change("com.acme.Shop.limit", before, after);
            let first = vm.test(&mut change, &mut resets);
            (change.differences.len(), first.into_values().next().flatten())
        };
        assert_eq!(left("5", "100"), (1, Some("5".into())));
        assert_eq!(left("100", "200"), (1, Some("5".into())), "it is not as it was at first");
        assert_eq!(left("200", "5"), (0, None));
        assert_eq!(left("5", "100"), (1, Some("5".into())));
    }

    #[test]
    fn objects_that_look_the_same_are_not_taken_for_one() {
        let (mut vm, mut resets) = (Leavings::default(), Resets::default());
        for _ in 0..2 {
            let mut change = change("com.acme.Shop.current", "Shop", "Shop");
            vm.test(&mut change, &mut resets);
            assert_eq!(change.differences.len(), 1);
        }
    }

    #[test]
    fn a_place_that_whoever_comes_next_sets_back_is_reset_unless_one_leaves_it() {
        let (mut vm, mut resets) = (Leavings::default(), Resets::default());
        for _ in 0..OFTEN {
            assert!(!resets.are_certain("com.acme.Shop.limit"));
            vm.test(&mut change("com.acme.Shop.limit", "5", "100"), &mut resets);
            vm.test(&mut change("com.acme.Shop.limit", "100", "5"), &mut resets);
        }
        assert!(resets.are_certain("com.acme.Shop.limit"));
        vm.test(&mut change("com.acme.Shop.limit", "5", "100"), &mut resets);
        vm.test(&mut StateChange::default(), &mut resets);
        assert!(!resets.are_certain("com.acme.Shop.limit"));
    }

    #[test]
    fn what_each_test_adds_to_is_not_reset() {
        let (mut vm, mut resets) = (Leavings::default(), Resets::default());
        for at in 0..9 {
            vm.test(&mut change(&format!("com.acme.Log.lines[{at}]"), "", "x"), &mut resets);
        }
        for at in 0..9_u32 {
            let (before, after) = (at.to_string(), (at + 1).to_string());
            vm.test(&mut change("com.acme.Log.size", &before, &after), &mut resets);
        }
        assert!(
            !resets.are_certain("com.acme.Log.lines") && !resets.are_certain("com.acme.Log.size")
        );
    }

    #[test]
    fn what_code_around_the_tests_sets_up_or_back_is_what_tests_begin_with() {
        let (mut vm, mut resets) = (Leavings::default(), Resets::default());
        vm.around(&change("com.acme.Shop.mode", "usual", "test"));
        let mut undone = change("com.acme.Shop.mode", "test", "usual");
        vm.test(&mut undone, &mut resets);
        assert_eq!(undone.differences.len(), 1, "it takes away what set-up made");
        vm.test(&mut change("com.acme.Shop.limit", "5", "100"), &mut resets);
        vm.around(&change("com.acme.Shop.limit", "100", "5"));
        vm.test(&mut StateChange::default(), &mut resets);
        assert_eq!(resets.0.get("com.acme.Shop.limit"), None);
        assert!(!resets.are_certain("com.acme.Shop.mode"));
    }
}
