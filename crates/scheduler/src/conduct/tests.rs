use std::cell::RefCell;

use super::*;
use crate::scripted::{LIMIT_MS, done, experiment, finished, passed, table};

const LIMIT: Duration = Duration::from_millis(LIMIT_MS);
const EXITED: Death = Death::Exited { status: 1 };

/// A conduct whose first VM has been handed its runs, and what it told.
struct Stage<'e> {
    conduct: Conduct<'e>,
    now: Instant,
    told: RefCell<Vec<Progress>>,
}

impl<'e> Stage<'e> {
    fn new(experiment: &'e Experiment) -> Self {
        let now = Instant::now();
        let mut conduct = Conduct::new(experiment, now);
        conduct.hand_over(now);
        Stage { conduct, now, told: RefCell::default() }
    }

    fn hear(&mut self, report: Report) -> Option<End> {
        self.conduct.hear(report, self.now, &|news| self.told.borrow_mut().push(news))
    }

    /// All but the last must leave the VM at work.
    fn hear_all(&mut self, reports: impl IntoIterator<Item = Report>) -> Option<End> {
        reports.into_iter().fold(None, |end, report| {
            assert_eq!(end, None);
            self.hear(report)
        })
    }

    fn close(&mut self, end: End) {
        self.conduct.close(end, "last words", self.now, &|news| self.told.borrow_mut().push(news));
    }

    fn pass(&mut self, time: Duration) {
        self.now += time;
    }

    fn hand_over(&mut self) -> Vec<String> {
        self.conduct.hand_over(self.now).into_iter().map(|test| test.0).collect()
    }

    fn troubles(&self) -> Vec<String> {
        let what = |news: &Progress| match news {
            Progress::Trouble { what, .. } => Some(what.clone()),
            _ => None,
        };
        self.told.borrow().iter().filter_map(what).collect()
    }

    fn runs(self) -> Vec<RunOutcome> {
        self.conduct.outcome().runs
    }
}

fn died() -> End {
    End::Died { death: EXITED }
}

#[test]
fn a_run_has_the_result_that_its_vm_reports() {
    let experiment = experiment(3, "ab");
    let mut stage = Stage::new(&experiment);
    let skipped = RunResult::Skipped { reason: None };
    stage.hear_all([Report::Started { run: 0 }, passed(0), finished(1, skipped.clone())]);
    assert!(stage.conduct.is_complete());
    assert_eq!(stage.told.borrow().len(), 2);
    let outcome = stage.conduct.outcome();
    assert_eq!(outcome.experiment, 3);
    assert_eq!(table(&outcome.runs), ["a passed in VM 0", "b skipped in VM 0"]);
    assert_eq!(outcome.runs[0].duration_ms, 7);
    assert_eq!(outcome.runs[1].result, skipped);
}

#[test]
fn each_result_is_told_at_once_with_its_place() {
    let experiment = experiment(3, "ab");
    let mut stage = Stage::new(&experiment);
    stage.hear(passed(1));
    let told = stage.told.borrow();
    assert!(matches!(told[..], [Progress::RunFinished { experiment: 3, index: 1, .. }]));
}

#[test]
fn the_limit_of_a_run_counts_from_its_start() {
    let experiment = experiment(0, "ab");
    let mut stage = Stage::new(&experiment);
    stage.pass(START_ALLOWANCE);
    stage.hear(Report::Started { run: 0 });
    assert_eq!(stage.conduct.patience(stage.now), LIMIT);
    stage.pass(LIMIT - Duration::from_millis(1));
    assert_eq!(stage.hear(Report::Quiet), None);
    stage.pass(Duration::from_millis(1));
    assert_eq!(stage.hear(Report::Quiet), Some(End::TimedOut));
    stage.close(End::TimedOut);
    assert_eq!(stage.hand_over(), ["b"]);
    let runs = stage.runs();
    assert_eq!(table(&runs), ["a timed out in VM 0 with output"]);
    assert_eq!(runs[0].result, RunResult::TimedOut { limit_ms: LIMIT_MS });
    assert_eq!(runs[0].duration_ms, LIMIT_MS);
}

#[test]
fn a_new_vm_has_an_allowance_before_its_first_test() {
    let experiment = experiment(0, "a");
    let mut stage = Stage::new(&experiment);
    assert_eq!(stage.conduct.patience(stage.now), START_ALLOWANCE + LIMIT);
    stage.pass(START_ALLOWANCE + LIMIT);
    assert_eq!(stage.hear(Report::Quiet), Some(End::TimedOut));
    stage.close(End::TimedOut);
    let limit_ms = LIMIT_MS + 60_000;
    assert_eq!(stage.runs()[0].result, RunResult::TimedOut { limit_ms });
}

#[test]
fn set_up_between_two_runs_has_the_same_allowance() {
    let experiment = experiment(0, "abc");
    let mut stage = Stage::new(&experiment);
    stage.hear_all([Report::Started { run: 0 }, passed(0)]);
    stage.pass(LIMIT);
    assert_eq!(stage.hear(Report::Quiet), None);
    stage.pass(START_ALLOWANCE);
    assert_eq!(stage.hear(Report::Quiet), Some(End::TimedOut));
    stage.close(End::TimedOut);
    assert_eq!(stage.hand_over(), ["c"]);
    assert_eq!(stage.conduct.patience(stage.now), START_ALLOWANCE + LIMIT);
    assert_eq!(table(&stage.runs()), ["a passed in VM 0", "b timed out in VM 0 with output"]);
}

#[test]
fn talk_does_not_put_off_a_time_out() {
    let experiment = experiment(0, "ab");
    let mut stage = Stage::new(&experiment);
    stage.hear_all([passed(0), Report::Started { run: 1 }]);
    stage.pass(LIMIT / 2);
    let trouble = Report::Trouble { what: "hm".to_owned() };
    let talk = [trouble.clone(), Report::Started { run: 1 }, passed(0), passed(9)];
    assert_eq!(stage.hear_all(talk), None);
    stage.pass(LIMIT / 2);
    assert_eq!(stage.hear(trouble), Some(End::TimedOut));
}

#[test]
fn a_result_that_is_heard_late_still_counts() {
    let experiment = experiment(0, "a");
    let mut stage = Stage::new(&experiment);
    stage.hear(Report::Started { run: 0 });
    stage.pass(2 * LIMIT);
    assert_eq!(stage.hear(passed(0)), None);
    assert_eq!(table(&stage.runs()), ["a passed in VM 0"]);
}

#[test]
fn the_longest_limit_is_no_overflow() {
    let mut experiment = experiment(0, "a");
    experiment.runs[0].limit_ms = u64::MAX;
    let mut stage = Stage::new(&experiment);
    assert_eq!(stage.hear_all([Report::Quiet, Report::Started { run: 0 }, Report::Quiet]), None);
}

#[test]
fn a_death_is_the_result_of_the_run_that_was_under_way() {
    let experiment = experiment(0, "abc");
    let mut stage = Stage::new(&experiment);
    let gone = Report::Gone { death: EXITED };
    let end = stage.hear_all([passed(0), Report::Started { run: 1 }, gone.clone()]);
    assert_eq!(end, Some(died()));
    stage.close(died());
    assert_eq!(stage.hand_over(), ["c"]);
    assert_eq!(stage.hear_all([passed(0), done("")]), Some(End::Done { not_run: String::new() }));
    let runs = stage.runs();
    let expected = ["a passed in VM 0", "b died in VM 0 with output", "c passed in VM 1"];
    assert_eq!(table(&runs), expected);
    assert_eq!(runs[1].result, RunResult::Died { death: EXITED });
    assert_eq!(runs[1].output.as_deref(), Some("last words"));
}

#[test]
fn a_death_between_runs_is_the_result_of_the_next_run() {
    let experiment = experiment(0, "abc");
    let mut stage = Stage::new(&experiment);
    stage.close(died());
    assert_eq!(stage.hand_over(), ["b", "c"]);
    stage.hear(passed(0));
    stage.close(died());
    assert!(stage.conduct.is_complete());
    let expected = ["a died in VM 0 with output", "b passed in VM 1", "c died in VM 1 with output"];
    assert_eq!(table(&stage.runs()), expected);
}

#[test]
fn a_death_or_hang_after_the_last_run_is_no_result_but_trouble() {
    let experiment = experiment(0, "a");
    let mut stage = Stage::new(&experiment);
    stage.hear(passed(0));
    stage.close(died());
    assert_eq!(stage.troubles().len(), 1);

    let mut stage = Stage::new(&experiment);
    stage.hear(passed(0));
    assert_eq!(stage.conduct.patience(stage.now), END_ALLOWANCE);
    stage.pass(END_ALLOWANCE);
    assert_eq!(stage.hear(Report::Quiet), Some(End::TimedOut));
    stage.close(End::TimedOut);
    assert_eq!(stage.troubles().len(), 1);
    assert_eq!(table(&stage.runs()), ["a passed in VM 0"]);
}

#[test]
fn runs_without_a_result_at_the_end_were_not_run() {
    let experiment = experiment(0, "abc");
    let mut stage = Stage::new(&experiment);
    stage.hear_all([passed(1), Report::Started { run: 2 }]);
    let end = stage.hear(done("no such test")).unwrap();
    stage.close(end);
    let runs = stage.runs();
    assert_eq!(table(&runs), ["a not run in VM 0", "b passed in VM 0", "c not run in VM 0"]);
    assert_eq!(runs[0].result, RunResult::NotRun { reason: "no such test".to_owned() });
}

#[test]
fn the_first_of_two_results_counts_and_the_second_is_trouble() {
    let experiment = experiment(0, "a");
    let mut stage = Stage::new(&experiment);
    stage.hear_all([passed(0), finished(0, RunResult::Aborted { thrown: None })]);
    assert_eq!(stage.troubles(), ["a finished again (aborted); its first result counts"]);
    assert_eq!(table(&stage.runs()), ["a passed in VM 0"]);
}

#[test]
fn runs_that_the_vm_was_not_handed_are_trouble() {
    let experiment = experiment(0, "ab");
    let mut stage = Stage::new(&experiment);
    stage.hear(passed(0));
    stage.close(died());
    stage.hand_over();
    stage.hear_all([Report::Started { run: 1 }, passed(usize::MAX)]);
    assert_eq!(stage.troubles().len(), 2);
}

#[test]
fn of_parallel_runs_all_die_together_but_time_out_each_by_itself() {
    let experiment = experiment(0, "ab");
    let mut stage = Stage::new(&experiment);
    stage.hear(Report::Started { run: 0 });
    stage.pass(LIMIT / 2);
    stage.hear(Report::Started { run: 1 });
    stage.pass(LIMIT / 2);
    assert_eq!(stage.hear(Report::Quiet), Some(End::TimedOut));
    stage.close(End::TimedOut);
    assert_eq!(stage.hand_over(), ["b"]);

    let mut stage = Stage::new(&experiment);
    stage.hear_all([Report::Started { run: 1 }, Report::Started { run: 0 }]);
    stage.close(died());
    let expected = ["a died in VM 0 with output", "b died in VM 0 with output"];
    assert_eq!(table(&stage.runs()), expected);
}
