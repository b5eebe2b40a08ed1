//! Results of workers beside those of the watched run: may they be trusted?

use std::collections::BTreeMap;

use surefoot_model::{Comparison, Outcome, RunOutcome, RunResult, Standing, TestId, Watch};

/// Every test that has an outcome, in the order in which it was watched.
pub fn compare<'a>(watch: &'a Watch, outcomes: &'a [Outcome]) -> Vec<Comparison<'a>> {
    // By experiment.
    let mut runs: BTreeMap<&TestId, Vec<Vec<&RunOutcome>>> = BTreeMap::new();
    for outcome in outcomes {
        let mut own: BTreeMap<&TestId, Vec<&RunOutcome>> = BTreeMap::new();
        for run in &outcome.runs {
            own.entry(&run.test).or_default().push(run);
        }
        for (test, own) in own {
            runs.entry(test).or_default().push(own);
        }
    }
    let mut comparisons = Vec::new();
    for vm in &watch.vms {
        for watched in &vm.runs {
            if let Some(runs) = runs.remove(&watched.test) {
                let all: Vec<&RunResult> = vm
                    .runs
                    .iter()
                    .filter(|run| run.test == watched.test)
                    .map(|run| &run.result)
                    .collect();
                let standing = standing(&all, &runs);
                let runs = runs.into_iter().flatten().collect();
                comparisons.push(Comparison {
                    test: &watched.test,
                    watched: Some(&watched.result),
                    runs,
                    standing,
                });
            }
        }
    }
    comparisons
}

/// `watched`: what the test's runs in its VM came to. Usually it is one run; if there were as many in an experiment, then
/// each is compared with its own, else all are compared with the first.
fn standing(watched: &[&RunResult], experiments: &[Vec<&RunOutcome>]) -> Standing {
    let mut all = 0;
    let mut same = 0;
    for runs in experiments {
        let paired = runs.len() == watched.len();
        let before = |index: usize| watched[if paired { index } else { 0 }];
        all += runs.len();
        same += runs
            .iter()
            .enumerate()
            .filter(|(index, run)| run.result.same_ending(before(*index)))
            .count();
    }
    if same == all {
        Standing::AsWatched
    } else if watched[0].passed() && same == 0 {
        Standing::NotReplayable
    } else {
        Standing::Differs
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::samples::{failed, outcome, watch};

    #[test]
    fn a_test_that_never_passes_again_is_not_replayable() {
        let watch = watch(&[&["A#1", "A#2", "A#3"]]);
        let outcomes = [
            outcome(1, &[("A#1", RunResult::Passed), ("A#2", failed()), ("A#3", failed())]),
            outcome(
                2,
                &[("A#1", RunResult::Passed), ("A#2", failed()), ("A#3", RunResult::Passed)],
            ),
        ];
        let standings: Vec<Standing> =
            compare(&watch, &outcomes).iter().map(|c| c.standing).collect();
        assert_eq!(standings, [Standing::AsWatched, Standing::NotReplayable, Standing::Differs]);
    }

    #[test]
    fn a_test_that_failed_when_watched_and_passes_now_differs() {
        let mut watch = watch(&[&["A#1"]]);
        watch.vms[0].runs[0].result = failed();
        let outcomes = [outcome(1, &[("A#1", RunResult::Passed)])];
        assert_eq!(compare(&watch, &outcomes)[0].standing, Standing::Differs);
    }

    #[test]
    fn a_test_that_its_vm_ran_several_times_is_compared_run_by_run() {
        let mut watch = watch(&[&["A#1", "A#1"]]);
        watch.vms[0].runs[0].result = failed();
        let again = [outcome(1, &[("A#1", failed()), ("A#1", RunResult::Passed)])];
        assert_eq!(compare(&watch, &again)[0].standing, Standing::AsWatched);
        let turned = [outcome(1, &[("A#1", RunResult::Passed), ("A#1", failed())])];
        assert_eq!(compare(&watch, &turned)[0].standing, Standing::Differs);
    }
}
