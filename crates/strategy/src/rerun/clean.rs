//! Which runs of an experiment took place in a VM that was as good as new.

use surefoot_model::{Reuse, RunOutcome};

/// What the JDK works out when it is first asked. Whoever asks next gets the same.
const WORKED_OUT: [&str; 5] = [
    "System.getProperties()[\"user.timezone\"]",
    "System.getenv()",
    "TimeZone.getDefault()",
    "Locale.getDefault(DISPLAY)",
    "Locale.getDefault(FORMAT)",
];

pub(super) fn reuse() -> Reuse {
    Reuse { set: WORKED_OUT.map(str::to_owned).to_vec() }
}

/// The runs of those tests before which nothing in their VM failed or left anything different, as far as that is looked at.
pub(super) fn as_good_as_new(runs: Vec<RunOutcome>, reuse: &Reuse) -> Vec<RunOutcome> {
    let mut kept: Vec<RunOutcome> = Vec::new();
    let (mut last, mut is_clean, mut began_clean) = (None, true, true);
    for run in runs {
        let this = (run.vm, run.test.clone());
        if last.as_ref() != Some(&this) {
            // The rest of an experiment goes on in a fresh VM when one has died.
            is_clean |= last.as_ref().is_some_and(|(vm, _)| *vm != run.vm);
            began_clean = is_clean;
            last = Some(this);
        }
        is_clean &= run.leaves_as_good_as_new(reuse);
        if began_clean {
            kept.push(run);
        }
    }
    kept
}

#[cfg(test)]
mod tests {
    use surefoot_model::{RunChange, RunResult, StateChange};

    use super::*;
    use crate::pollution::samples::difference;

    fn run(test: &str, vm: u32, leaves: &[&str]) -> RunOutcome {
        let differences = leaves.iter().map(|root| difference(root, "0", "1")).collect();
        let change = StateChange { differences, ..StateChange::default() };
        RunOutcome {
            test: test.into(),
            result: RunResult::Passed,
            duration_ms: 0,
            vm,
            change: Some(RunChange { runs: 1, change }),
            choices: None,
            output: None,
        }
    }

    fn kept(runs: Vec<RunOutcome>) -> Vec<String> {
        as_good_as_new(runs, &reuse()).iter().map(|run| run.test.to_string()).collect()
    }

    #[test]
    fn all_runs_of_a_test_count_but_none_of_those_after_one_that_left_something() {
        let runs = vec![
            run("clean", 0, &[]),
            run("clean", 0, &[]),
            run("dirty", 0, &["x.A.a"]),
            run("dirty", 0, &[]),
            run("next", 0, &[]),
            run("next", 0, &[]),
        ];
        assert_eq!(kept(runs), ["clean", "clean", "dirty", "dirty"]);
    }

    #[test]
    fn what_was_not_looked_at_or_did_not_pass_may_have_left_anything() {
        let unseen = RunOutcome { change: None, ..run("unseen", 0, &[]) };
        assert_eq!(kept(vec![unseen, run("next", 0, &[])]), ["unseen"]);
        let result = RunResult::NotRun { reason: "the runner refused".into() };
        let failed = RunOutcome { result, ..run("failed", 0, &[]) };
        assert_eq!(kept(vec![failed, run("next", 0, &[])]), ["failed"]);
    }

    #[test]
    fn what_the_jdk_works_out_when_first_asked_does_not_count_but_what_a_test_sets_does() {
        let zone = |before: &str| {
            let difference = difference("TimeZone.getDefault()", before, "ZoneInfo");
            let differences = vec![difference];
            let change = StateChange { differences, ..StateChange::default() };
            let change = Some(RunChange { runs: 1, change });
            vec![RunOutcome { change, ..run("zone", 0, &[]) }, run("next", 0, &[])]
        };
        assert_eq!(kept(zone("null")), ["zone", "next"]);
        assert_eq!(kept(zone("Europe/Paris")), ["zone"]);
    }

    #[test]
    fn a_vm_after_one_that_died_is_new() {
        let runs = vec![run("dirty", 0, &["x.A.a"]), run("lost", 0, &[]), run("next", 1, &[])];
        assert_eq!(kept(runs), ["dirty", "next"]);
    }
}
