//! Makes events of what the probes tell: which test is under way, in which thread, and how it ended.
//!
//! Pure: it knows no VM. Times are handed in.

use std::time::Duration;

use surefoot_model::event::SeenTest;
use surefoot_model::{Event, RunResult, Thrown};

#[derive(Debug, Default)]
pub(crate) struct Tracker {
    active: Vec<Active>,
    /// Tests that started while another ran in the same thread; see [`Tracker::started`].
    nested: u64,
}

/// A test under way.
#[derive(Debug)]
struct Active {
    test: SeenTest,
    thread: u64,
    since: Duration,
    overlapped: bool,
    nested: bool,
    /// The worst that was said before the end: JUnit 3 and 4 tell failures one by one.
    so_far: Option<RunResult>,
}

/// What a framework says at the end of a test.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Ending {
    /// Whatever was said before; a pass if nothing was.
    SoFar,
    Result(RunResult),
}

impl Tracker {
    /// A test that starts in the thread of another one is run by that other one (tests of test frameworks do so): it is
    /// the other's business and no test of the suite.
    pub(crate) fn started(&mut self, test: SeenTest, thread: u64, now: Duration) -> Option<Event> {
        let nested = self.active.iter().any(|active| active.thread == thread);
        let mut overlapped = false;
        if !nested {
            for other in self.active.iter_mut().filter(|other| !other.nested) {
                other.overlapped = true;
                overlapped = true;
            }
        }
        self.nested += u64::from(nested);
        let event = Event::Started { test: test.clone(), at_ms: now.as_millis() as u64 };
        self.active.push(Active { test, thread, since: now, overlapped, nested, so_far: None });
        (!nested).then_some(event)
    }

    /// Something bad was said of a test; the first word counts, as it does in build tools, but failing counts for more
    /// than aborting.
    pub(crate) fn so_far(&mut self, test: &SeenTest, thread: u64, result: RunResult) {
        if let Some(index) = self.index(test, thread) {
            let known = &mut self.active[index].so_far;
            if known.as_ref().is_none_or(|known| !known.is_bad() && result.is_bad()) {
                *known = Some(result);
            }
        }
    }

    pub(crate) fn finished(
        &mut self,
        test: SeenTest,
        thread: u64,
        ending: Ending,
        now: Duration,
    ) -> Option<Event> {
        let active = self.active.remove(self.index(&test, thread)?);
        if active.nested {
            return None;
        }
        let result = match ending {
            Ending::SoFar => active.so_far.unwrap_or(RunResult::Passed),
            Ending::Result(result) => result,
        };
        Some(Event::Finished {
            // TestNG knows a test's final name only at its end.
            test,
            at_ms: now.as_millis() as u64,
            duration_us: now.saturating_sub(active.since).as_micros() as u64,
            result,
            overlapped: active.overlapped,
        })
    }

    /// A test was skipped: mostly before it started, but TestNG also ends started ones that way.
    pub(crate) fn skipped(
        &mut self,
        test: SeenTest,
        thread: u64,
        reason: Option<String>,
        now: Duration,
    ) -> Option<Event> {
        let result = RunResult::Skipped { reason };
        if self.index(&test, thread).is_some() {
            return self.finished(test, thread, Ending::Result(result), now);
        }
        if self.active.iter().any(|active| active.thread == thread) {
            return None;
        }
        Some(Event::Finished {
            test,
            at_ms: now.as_millis() as u64,
            duration_us: 0,
            result,
            overlapped: false,
        })
    }

    pub(crate) fn container_failed(
        &mut self,
        container: SeenTest,
        thread: u64,
        thrown: Thrown,
    ) -> Option<Event> {
        let inside_a_test = self.active.iter().any(|active| active.thread == thread);
        (!inside_a_test).then_some(Event::ContainerFailed { container, thrown })
    }

    /// The address of the innermost test that started in this thread and has not ended.
    pub(crate) fn in_thread(&self, thread: u64) -> Option<&str> {
        let active = self.active.iter().rfind(|active| active.thread == thread)?;
        Some(&active.test.address)
    }

    pub(crate) fn under_way(&self) -> usize {
        self.active.len()
    }

    pub(crate) fn is_under_way(&self, test: &SeenTest, thread: u64) -> bool {
        self.index(test, thread).is_some()
    }

    /// What the user must know when the VM ends: a test that never ended hid others that ran in its thread.
    pub(crate) fn loose_ends(&self) -> Option<String> {
        let open = self.active.iter().find(|active| !active.nested)?;
        (self.nested > 0).then(|| {
            format!(
                "{} never ended; {} tests that started in its thread were taken for its own",
                open.test.address, self.nested
            )
        })
    }

    /// The innermost one: a nested run may be of the same test.
    fn index(&self, test: &SeenTest, thread: u64) -> Option<usize> {
        let same = |active: &Active| {
            active.test.framework == test.framework && active.test.address == test.address
        };
        // A test may end in another thread than it started in, but rarely does.
        let in_thread = self.active.iter().rposition(|a| a.thread == thread && same(a));
        in_thread.or_else(|| self.active.iter().rposition(same))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use surefoot_model::Framework;

    const T0: Duration = Duration::ZERO;

    fn test(address: &str) -> SeenTest {
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

    fn failed(message: &str) -> RunResult {
        RunResult::Failed { thrown: Thrown { message: Some(message.into()), ..Thrown::default() } }
    }

    fn finish(tracker: &mut Tracker, address: &str, thread: u64) -> Option<(RunResult, bool)> {
        match tracker.finished(test(address), thread, Ending::SoFar, Duration::from_micros(7))? {
            Event::Finished { result, overlapped, .. } => Some((result, overlapped)),
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn a_test_of_which_nothing_was_said_passed() {
        let mut tracker = Tracker::default();
        assert!(tracker.started(test("a"), 1, T0).is_some());
        assert_eq!(finish(&mut tracker, "a", 1), Some((RunResult::Passed, false)));
    }

    #[test]
    fn the_first_failure_counts_and_counts_for_more_than_an_assumption() {
        let mut tracker = Tracker::default();
        tracker.started(test("a"), 1, T0);
        tracker.so_far(&test("a"), 1, RunResult::Aborted { thrown: None });
        tracker.so_far(&test("a"), 1, failed("first"));
        tracker.so_far(&test("a"), 1, failed("second"));
        assert_eq!(finish(&mut tracker, "a", 1), Some((failed("first"), false)));
    }

    #[test]
    fn tests_in_two_threads_at_a_time_overlap() {
        let mut tracker = Tracker::default();
        tracker.started(test("a"), 1, T0);
        tracker.started(test("b"), 2, T0);
        assert_eq!(finish(&mut tracker, "a", 1), Some((RunResult::Passed, true)));
        tracker.started(test("c"), 1, T0);
        assert_eq!(finish(&mut tracker, "b", 2), Some((RunResult::Passed, true)));
        assert_eq!(finish(&mut tracker, "c", 1), Some((RunResult::Passed, true)));
        tracker.started(test("d"), 1, T0);
        assert_eq!(finish(&mut tracker, "d", 1), Some((RunResult::Passed, false)));
    }

    #[test]
    fn a_test_run_by_a_test_is_no_test_of_the_suite() {
        let mut tracker = Tracker::default();
        tracker.started(test("outer"), 1, T0);
        assert_eq!(tracker.started(test("inner"), 1, T0), None);
        tracker.so_far(&test("inner"), 1, failed("inner"));
        assert_eq!(tracker.skipped(test("other"), 1, None, T0), None);
        assert_eq!(tracker.container_failed(test("box"), 1, Thrown::default()), None);
        assert_eq!(finish(&mut tracker, "inner", 1), None);
        assert_eq!(finish(&mut tracker, "outer", 1), Some((RunResult::Passed, false)));
        assert_eq!(tracker.loose_ends(), None);
    }

    #[test]
    fn a_test_that_never_ends_is_told_if_it_hid_others() {
        let mut tracker = Tracker::default();
        tracker.started(test("stuck"), 1, T0);
        assert_eq!(tracker.loose_ends(), None);
        tracker.started(test("next"), 1, T0);
        assert!(tracker.loose_ends().is_some_and(|words| words.starts_with("stuck never ended")));
    }

    #[test]
    fn an_end_without_a_start_is_ignored() {
        assert_eq!(finish(&mut Tracker::default(), "a", 1), None);
    }
}
