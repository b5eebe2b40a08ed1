//! The tests that workers may be asked to run, and how to ask for them.

use std::collections::{BTreeMap, BTreeSet};

use surefoot_model::{ClassSetup, Command, Framework, Test, TestId};
use surefoot_runtime::Tests;

#[derive(Debug)]
pub(crate) struct JvmTests {
    tests: BTreeMap<TestId, Test>,
    /// How many tests each parameterised method or test factory made when watched.
    made: BTreeMap<String, usize>,
}

impl JvmTests {
    pub(crate) fn new(tests: BTreeMap<TestId, Test>) -> Self {
        let mut made: BTreeMap<String, usize> = BTreeMap::new();
        for maker in tests.values().filter_map(maker) {
            *made.entry(maker.to_owned()).or_default() += 1;
        }
        JvmTests { tests, made }
    }

    /// Makers of which, wherever they occur, all tests are wanted once and in order.
    fn whole(&self, tests: &[Test], class_setup: ClassSetup) -> Vec<String> {
        if class_setup == ClassSetup::PerRun {
            return Vec::new();
        }
        let mut whole: BTreeMap<&str, bool> = BTreeMap::new();
        for stretch in tests.chunk_by(|a, b| maker(a).is_some() && maker(a) == maker(b)) {
            let Some(maker) = maker(&stretch[0]) else { continue };
            let all = self.made.get(maker).copied().unwrap_or(0);
            // Several rounds of all of them are fine too.
            let complete = all > 0
                && stretch.len() % all == 0
                && stretch.chunks(all).all(|round| {
                    let distinct: BTreeSet<&str> =
                        round.iter().map(|test| test.address.as_str()).collect();
                    distinct.len() == all && numbers_ascend(round)
                });
            *whole.entry(maker).or_insert(true) &= complete;
        }
        whole.into_iter().filter(|(_, whole)| *whole).map(|(maker, _)| maker.to_owned()).collect()
    }
}

impl Tests for JvmTests {
    fn get(&self, id: &TestId) -> Test {
        self.tests.get(id).cloned().unwrap_or_else(|| Test {
            id: id.clone(),
            framework: Framework::JunitPlatform,
            class: String::new(),
            method: None,
            address: String::new(),
            display: id.0.clone(),
            legacy: None,
            written_for: None,
        })
    }

    /// One command for each stretch of tests of one framework.
    fn commands(&self, tests: &[Test], class_setup: ClassSetup) -> Vec<Command> {
        let stretches = tests.chunk_by(|a, b| a.framework == b.framework);
        let command = |stretch: &[Test]| Command::Run {
            framework: stretch[0].framework,
            class_setup,
            addresses: stretch.iter().map(|test| test.address.clone()).collect(),
            files: Vec::new(),
            whole: self.whole(stretch, class_setup),
        };
        stretches.map(command).collect()
    }
}

/// What makes a test while it runs: the part of its unique id before the first number.
fn maker(test: &Test) -> Option<&str> {
    if test.framework != Framework::JunitPlatform {
        return None;
    }
    let number = test.address.find(":#")?;
    let end = test.address[..number].rfind("/[")?;
    Some(&test.address[..end])
}

fn numbers_ascend(tests: &[Test]) -> bool {
    let numbers = |test: &Test| -> Vec<u64> {
        test.address
            .split(":#")
            .skip(1)
            .filter_map(|part| part.split(']').next().and_then(|number| number.parse().ok()))
            .collect()
    };
    tests.windows(2).all(|pair| numbers(&pair[0]) < numbers(&pair[1]))
}

#[cfg(test)]
mod unit_tests {
    use super::*;

    fn test(address: &str) -> Test {
        Test {
            id: TestId::from(address),
            framework: Framework::JunitPlatform,
            class: "A".into(),
            method: None,
            address: address.into(),
            display: address.into(),
            legacy: None,
            written_for: None,
        }
    }

    fn made(number: usize) -> Test {
        test(&format!(
            "[engine:e]/[class:A]/[test-template:m(int)]/[test-template-invocation:#{number}]"
        ))
    }

    fn whole(wanted: &[Test]) -> Vec<String> {
        let all = (1..=10).map(made).chain([test("[engine:e]/[class:A]/[method:n()]")]);
        let tests = JvmTests::new(all.map(|test| (test.id.clone(), test)).collect());
        match &tests.commands(wanted, ClassSetup::Shared)[..] {
            [Command::Run { whole, .. }] => whole.clone(),
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn a_parameterised_method_runs_as_a_whole_if_all_its_tests_are_wanted() {
        let template = "[engine:e]/[class:A]/[test-template:m(int)]";
        let all: Vec<Test> = (1..=10).map(made).collect();
        assert_eq!(whole(&all), [template]);
        assert_eq!(whole(&[all.clone(), all.clone()].concat()), [template]);
    }

    #[test]
    fn it_does_not_if_some_are_missing_come_twice_or_in_another_order() {
        let all: Vec<Test> = (1..=10).map(made).collect();
        assert_eq!(whole(&all[1..]), [""; 0]);
        assert_eq!(
            whole(&all.iter().flat_map(|t| [t.clone(), t.clone()]).collect::<Vec<_>>()),
            [""; 0]
        );
        assert_eq!(whole(&all.iter().rev().cloned().collect::<Vec<_>>()), [""; 0]);
        assert_eq!(
            whole(
                &[all.clone(), vec![test("[engine:e]/[class:A]/[method:n()]"), made(1)]].concat()
            ),
            [""; 0]
        );
    }
}
