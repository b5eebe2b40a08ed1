//! What belongs to a test where its framework tells of the test alone: TestNG says that a test starts after `@BeforeMethod`,
//! and that it ended before `@AfterMethod`.

use std::collections::BTreeMap;
use std::sync::{Mutex, MutexGuard, PoisonError};

use surefoot_model::{Event, Framework, StateChange};

/// By thread. No lock in here is held while anything else runs.
#[derive(Debug, Default)]
pub(crate) struct Scopes(Mutex<BTreeMap<u64, Scope>>);

#[derive(Debug, Default)]
struct Scope {
    /// What changed before it, until that is told.
    around: Option<StateChange>,
    /// How its test ended, until that is told.
    finished: Option<Event>,
}

/// What is known when a test starts.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Around {
    NoScope,
    /// The state was looked at when the scope began.
    Looked(Option<StateChange>),
}

impl Scopes {
    /// Hands back how the test of the last scope ended, if that one was left by an exception.
    pub(crate) fn begin(&self, thread: u64, around: Option<StateChange>) -> Option<Event> {
        self.all().insert(thread, Scope { around, finished: None })?.finished
    }

    pub(crate) fn number(&self) -> usize {
        self.all().len()
    }

    pub(crate) fn has(&self, thread: u64) -> bool {
        self.all().contains_key(&thread)
    }

    pub(crate) fn around(&self, thread: u64) -> Around {
        match self.all().get_mut(&thread) {
            Some(scope) => Around::Looked(scope.around.take()),
            None => Around::NoScope,
        }
    }

    /// Keeps the end of a test until its scope ends; hands back all other events.
    pub(crate) fn hold(&self, thread: u64, event: Event) -> Option<Event> {
        match self.all().get_mut(&thread) {
            Some(scope) if is_end(&event) => {
                // A test whose end comes twice has ended the first time.
                scope.finished.replace(event)
            }
            _ => Some(event),
        }
    }

    pub(crate) fn finished(&self, thread: u64) -> Option<Event> {
        self.all().get(&thread)?.finished.clone()
    }

    pub(crate) fn end(&self, thread: u64) -> Option<Event> {
        self.all().remove(&thread)?.finished
    }

    /// Of scopes that never ended.
    pub(crate) fn held(&self) -> Vec<Event> {
        let scopes = std::mem::take(&mut *self.all());
        scopes.into_values().filter_map(|scope| scope.finished).collect()
    }

    fn all(&self) -> MutexGuard<'_, BTreeMap<u64, Scope>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Of a test of a framework that has such scopes.
fn is_end(event: &Event) -> bool {
    matches!(event, Event::Finished { test, .. } if test.framework == Framework::TestNg)
}

#[cfg(test)]
mod tests {
    use super::*;
    use surefoot_model::RunResult;
    use surefoot_model::event::SeenTest;

    fn test() -> SeenTest {
        SeenTest {
            framework: Framework::TestNg,
            address: "a.B#c".into(),
            class: "a.B".into(),
            method: None,
            display: "c".into(),
            legacy: None,
            written_for: None,
        }
    }

    fn finished() -> Event {
        let (result, overlapped) = (RunResult::Passed, false);
        Event::Finished { test: test(), at_ms: 1, duration_us: 1, result, overlapped }
    }

    #[test]
    fn the_end_of_a_test_is_kept_until_its_scope_ends() {
        let scopes = Scopes::default();
        assert_eq!(scopes.hold(1, finished()), Some(finished()), "there is no scope");
        assert_eq!(scopes.begin(1, Some(StateChange::default())), None);
        assert_eq!(scopes.around(2), Around::NoScope);
        assert_eq!(scopes.around(1), Around::Looked(Some(StateChange::default())));
        assert_eq!(scopes.around(1), Around::Looked(None), "it is told once");
        let started = Event::Started { test: test(), at_ms: 0 };
        assert_eq!(scopes.hold(1, started.clone()), Some(started));
        assert_eq!(scopes.hold(1, finished()), None);
        assert_eq!(scopes.end(1), Some(finished()));
        assert_eq!((scopes.end(1), scopes.number()), (None, 0));
    }

    #[test]
    fn what_was_kept_is_told_though_the_scope_never_ends() {
        let scopes = Scopes::default();
        scopes.begin(7, None);
        scopes.hold(7, finished());
        assert_eq!(scopes.begin(7, None), Some(finished()));
        scopes.hold(7, finished());
        assert_eq!(scopes.held(), [finished()]);
        assert_eq!(scopes.held(), []);
    }
}
