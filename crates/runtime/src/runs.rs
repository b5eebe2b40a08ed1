//! Which run of an experiment an event of a worker is about. Pure: events in, reports out.

use std::time::Duration;

use surefoot_model::event::SeenTest;
use surefoot_model::{ClassChange, Event, RunChange, RunChoices, RunResult, Test, Thrown};
use surefoot_scheduler::Report;

#[derive(Debug, Default)]
pub(crate) struct Runs {
    runs: Vec<Expected>,
    /// So many at the front are: events come nearly in order, so the search begins there.
    finished: usize,
    /// `Done` events still to come: one for each framework in turn.
    batches: usize,
    reasons: Vec<String>,
    /// By the run whose end comes next.
    change: Option<RunChange>,
    /// Of the run whose end comes next.
    choices: Option<Box<RunChoices>>,
    class_failures: Vec<(SeenTest, Thrown)>,
}

#[derive(Debug)]
struct Expected {
    address: String,
    class: String,
    state: State,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum State {
    Waiting,
    Started,
    Finished,
}

impl Runs {
    pub(crate) fn new(tests: &[Test], batches: usize) -> Self {
        let expected = |test: &Test| Expected {
            address: test.address.clone(),
            class: test.class.clone(),
            state: State::Waiting,
        };
        Runs { runs: tests.iter().map(expected).collect(), batches, ..Runs::default() }
    }

    pub(crate) fn on(&mut self, event: Event) -> Vec<Report> {
        match event {
            Event::Started { test, .. } => {
                let run = self.take(&test, State::Waiting, State::Started);
                run.map(|run| Report::Started { run }).into_iter().collect()
            }
            Event::Finished { test, duration_us, result, .. } => {
                // A skipped test ends without a start.
                let run = self
                    .take(&test, State::Started, State::Finished)
                    .or_else(|| self.take(&test, State::Waiting, State::Finished));
                let duration = Duration::from_micros(duration_us);
                let (change, choices) = (self.change.take(), self.choices.take());
                run.map(|run| Report::Finished { run, result, duration, change, choices })
                    .into_iter()
                    .collect()
            }
            Event::Changed { tests, change, .. } => {
                self.change = Some(RunChange { runs: tests.max(1), change });
                Vec::new()
            }
            Event::ClassChanged { class, change, .. } => {
                vec![Report::ClassChanged(ClassChange { class, change })]
            }
            Event::Chose { choices, .. } => {
                self.choices = Some(Box::new(choices));
                Vec::new()
            }
            Event::ContainerFailed { container, thrown } => {
                self.class_failures.push((container, thrown));
                Vec::new()
            }
            Event::Trouble { what } => vec![Report::Trouble { what }],
            Event::Done { reason } => {
                self.reasons.extend(reason);
                self.batches = self.batches.saturating_sub(1);
                if self.batches == 0 { self.done() } else { Vec::new() }
            }
            Event::Vm(_) | Event::ChangedAround { .. } | Event::Classes { .. } | Event::Ended => {
                Vec::new()
            }
        }
    }

    /// The first run of this test that is in one state, put into the next.
    fn take(&mut self, test: &SeenTest, from: State, to: State) -> Option<usize> {
        // The driver runs a JUnit 3 suite's tests without the suite, so the suite's name is missing.
        let same = |run: &Expected| {
            let before = run.address.strip_suffix(&test.address);
            before.is_some_and(|before| before.is_empty() || before.ends_with('>'))
        };
        let waiting = &self.runs[self.finished..];
        let index =
            self.finished + waiting.iter().position(|run| run.state == from && same(run))?;
        self.runs[index].state = to;
        let done = |run: &&Expected| run.state == State::Finished;
        self.finished += self.runs[self.finished..].iter().take_while(done).count();
        Some(index)
    }

    /// A run that never started fails with its class, if that failed.
    fn done(&mut self) -> Vec<Report> {
        let mut reports = Vec::new();
        for (run, expected) in self.runs.iter_mut().enumerate() {
            let failure = self.class_failures.iter().find(|(container, _)| {
                expected.address.starts_with(&container.address)
                    || (!container.class.is_empty() && container.class == expected.class)
            });
            if let (State::Waiting, Some((_, thrown))) = (expected.state, failure) {
                expected.state = State::Finished;
                let result = RunResult::Failed { thrown: thrown.clone() };
                let duration = Duration::ZERO;
                let (change, choices) = (None, None);
                reports.push(Report::Finished { run, result, duration, change, choices });
            }
        }
        let not_run = if self.reasons.is_empty() {
            "the test framework did not run it; it may depend on how the build tool chose the tests"
                .to_owned()
        } else {
            self.reasons.join("; ")
        };
        reports.push(Report::Done { not_run });
        reports
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use surefoot_model::{Framework, TestId};

    fn test(address: &str) -> Test {
        Test {
            id: TestId(address.into()),
            framework: Framework::JUnit4,
            class: "C".into(),
            method: None,
            address: address.into(),
            display: address.into(),
            legacy: None,
            written_for: None,
        }
    }

    fn seen(address: &str) -> SeenTest {
        SeenTest {
            framework: Framework::JUnit4,
            address: address.into(),
            class: "C".into(),
            method: None,
            display: address.into(),
            legacy: None,
            written_for: None,
        }
    }

    fn started(address: &str) -> Event {
        Event::Started { test: seen(address), at_ms: 0 }
    }

    fn finished(address: &str) -> Event {
        Event::Finished {
            test: seen(address),
            at_ms: 0,
            duration_us: 1000,
            result: RunResult::Passed,
            overlapped: false,
        }
    }

    #[test]
    fn repeats_of_a_test_are_its_runs_in_order() {
        let mut runs = Runs::new(&[test("a"), test("a"), test("b")], 1);
        for run in [0, 1] {
            assert_eq!(runs.on(started("a")), [Report::Started { run }]);
            assert!(
                matches!(runs.on(finished("a"))[..], [Report::Finished { run: r, .. }] if r == run)
            );
        }
        assert_eq!(runs.on(started("a")), [], "a third run was not asked for");
        assert!(matches!(runs.on(finished("b"))[..], [Report::Finished { run: 2, .. }]));
    }

    #[test]
    fn a_run_fails_with_its_class() {
        let mut runs = Runs::new(&[test("a"), test("b")], 1);
        runs.on(started("a"));
        runs.on(finished("a"));
        runs.on(Event::ContainerFailed { container: seen("C"), thrown: Thrown::default() });
        let reports = runs.on(Event::Done { reason: None });
        assert!(
            matches!(
                &reports[..],
                [
                    Report::Finished { run: 1, result: RunResult::Failed { .. }, .. },
                    Report::Done { .. }
                ]
            ),
            "{reports:?}"
        );
    }

    #[test]
    fn it_is_done_after_the_last_batch_with_all_reasons() {
        let mut runs = Runs::new(&[test("a")], 2);
        assert_eq!(runs.on(Event::Done { reason: Some("x".into()) }), []);
        let reports = runs.on(Event::Done { reason: Some("y".into()) });
        assert_eq!(reports, [Report::Done { not_run: "x; y".into() }]);
    }
}
