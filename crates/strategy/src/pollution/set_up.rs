//! What class-level set-up and tear-down leave changed: put down to the class, and not to any of its tests.

use std::collections::{BTreeMap, BTreeSet};

use surefoot_model::{ClassChange, Difference, Finding, Framework, StateChange, TestId, Watch};

use super::Pollution;
use super::roots::{Group, Polluted, part};
use super::words::class_finding;

/// What each look at each class showed, the watched run's first.
pub(super) type ClassLooks = BTreeMap<String, Vec<StateChange>>;

/// What the watched run showed of the classes of these tests.
pub(super) fn watched(watch: &Watch, wanted: &BTreeSet<&TestId>) -> ClassLooks {
    let mut looks = ClassLooks::new();
    for ClassChange { class, change } in watch.vms.iter().flat_map(|vm| &vm.class_changes) {
        if tests_of(watch, class).any(|test| wanted.contains(test)) {
            looks.entry(class.clone()).or_default().push(change.clone());
        }
    }
    looks
}

/// Those that passed, also those of classes inside it.
fn tests_of<'a>(watch: &'a Watch, class: &'a str) -> impl Iterator<Item = &'a TestId> {
    let passed: BTreeSet<&TestId> =
        watch.runs().filter(|run| run.result.passed()).map(|run| &run.test).collect();
    let is_inside = move |of: &str| {
        of.strip_prefix(class).is_some_and(|rest| rest.is_empty() || rest.starts_with('$'))
    };
    let tests = watch.tests.iter().filter(move |(_, test)| is_inside(&test.class));
    tests.map(|(id, _)| id).filter(move |id| passed.contains(id))
}

impl Pollution<'_> {
    pub(super) fn look_at_classes(&mut self, changes: Vec<ClassChange>) {
        for ClassChange { class, change } in changes {
            self.classes.entry(class).or_default().push(change);
        }
    }

    pub(super) fn look_at_classes_backwards(&mut self, changes: Vec<ClassChange>) {
        for ClassChange { class, change } in changes.into_iter().filter(|one| one.change.is_clear())
        {
            let parts = change.differences.iter().map(|difference| part(difference).to_owned());
            self.classes_backwards.entry(class).or_default().extend(parts);
        }
    }

    /// Others bring it to the same, when they come before.
    fn is_set_by_the_first_class(&self, class: &str, difference: &Difference) -> bool {
        let backwards = self.classes_backwards.get(class);
        backwards.is_some_and(|parts| !parts.contains(part(difference)))
    }

    /// With a test of the class, to stand for all of them.
    pub(super) fn of_classes(&self) -> impl Iterator<Item = (&str, &TestId, &Difference)> {
        let looks = self.classes.iter().filter_map(|(class, looks)| {
            Some((class.as_str(), tests_of(self.watch, class).next()?, looks))
        });
        looks.flat_map(|(class, test, looks)| {
            let differences = looks.iter().flat_map(|look| &look.differences);
            differences.map(move |difference| (class, test, difference))
        })
    }

    /// The tests of classes whose set-up may have left something: the whole class runs again.
    pub(super) fn class_suspects(&self) -> impl Iterator<Item = &TestId> {
        let is_suspect = |difference: &Difference| self.is_worth_a_look(difference);
        let suspects: BTreeSet<&str> = self
            .of_classes()
            .filter(|(_, _, difference)| is_suspect(difference))
            .map(|(class, ..)| class)
            .collect();
        suspects.into_iter().flat_map(|class| tests_of(self.watch, class))
    }

    /// What two looks or more at a class showed, by class and root.
    pub(super) fn polluted_by_classes(&self) -> BTreeMap<(&str, &str), Polluted<'_>> {
        let mut polluted: BTreeMap<(&str, &str), Polluted<'_>> = BTreeMap::new();
        let on_demand = self.on_demand();
        for (class, test, difference) in self.of_classes() {
            let reported = self.counts(difference)
                && !self.is_set_by_the_first_class(class, difference)
                && self.group(test, difference, &on_demand) == Group::Reported;
            if reported {
                let root = polluted
                    .entry((class, &difference.root))
                    .or_insert_with(|| Polluted::new(difference));
                root.tests.extend(tests_of(self.watch, class).map(|test| (test, difference)));
                root.places.entry(&difference.path).or_insert(difference);
            }
        }
        for ((class, name), root) in &mut polluted {
            let looks = &self.classes[*class];
            let shows = |look: &&StateChange| look.differences.iter().any(|one| one.root == *name);
            (root.seen, root.of) = (looks.iter().filter(shows).count() as u32, looks.len() as u32);
        }
        polluted.retain(|_, root| root.seen >= 2);
        polluted
    }

    pub(super) fn class_findings(&self) -> Vec<Finding> {
        let polluted = self.polluted_by_classes();
        let findings = polluted.iter().map(|((class, name), root)| {
            let first = root.tests.keys().next();
            let framework = first.map_or(Framework::JunitPlatform, |test| self.framework(test));
            class_finding(class, name, root, framework)
        });
        findings.collect()
    }
}
