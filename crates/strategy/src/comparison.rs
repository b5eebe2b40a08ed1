//! Results of workers beside those of the watched run: may they be trusted?

use std::collections::BTreeMap;

use surefoot_model::{Comparison, Outcome, RunOutcome, RunResult, Standing, TestId, Watch};

/// Every test that has an outcome, in the order in which it was watched.
pub fn compare<'a>(watch: &'a Watch, outcomes: &'a [Outcome]) -> Vec<Comparison<'a>> {
    let mut runs: BTreeMap<&TestId, Vec<&RunOutcome>> = BTreeMap::new();
    for run in outcomes.iter().flat_map(|outcome| &outcome.runs) {
        runs.entry(&run.test).or_default().push(run);
    }
    let mut comparisons = Vec::new();
    for watched in watch.runs() {
        if let Some(runs) = runs.remove(&watched.test) {
            let standing = standing(&watched.result, &runs);
            comparisons.push(Comparison { test: &watched.test, watched: Some(&watched.result), runs, standing });
        }
    }
    comparisons
}

fn standing(watched: &RunResult, runs: &[&RunOutcome]) -> Standing {
    let same = runs.iter().filter(|run| run.result.same_ending(watched)).count();
    if same == runs.len() {
        Standing::AsWatched
    } else if watched.passed() && same == 0 {
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
            outcome(2, &[("A#1", RunResult::Passed), ("A#2", failed()), ("A#3", RunResult::Passed)]),
        ];
        let standings: Vec<Standing> = compare(&watch, &outcomes).iter().map(|c| c.standing).collect();
        assert_eq!(standings, [Standing::AsWatched, Standing::NotReplayable, Standing::Differs]);
    }

    #[test]
    fn a_test_that_failed_when_watched_and_passes_now_differs() {
        let mut watch = watch(&[&["A#1"]]);
        watch.vms[0].runs[0].result = failed();
        let outcomes = [outcome(1, &[("A#1", RunResult::Passed)])];
        assert_eq!(compare(&watch, &outcomes)[0].standing, Standing::Differs);
    }
}
