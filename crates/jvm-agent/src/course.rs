//! Which points of a test have been passed, and where a look is due. Pure.

use surefoot_model::{CapturePoint, CapturePoints, StateChange};

/// Of the one test that is under way; where several are, nobody looks.
#[derive(Debug)]
pub(crate) struct Course {
    points: CapturePoints,
    stage: Stage,
    /// What differs between the points, until the test has ended.
    change: Option<StateChange>,
    /// The address of the last test that ended, if its state at the point is there to be compared with.
    last: Option<String>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Stage {
    Before,
    Between,
    After,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Due {
    Nothing,
    /// The state to compare with.
    First,
    Second,
}

impl Course {
    pub(crate) fn new(points: CapturePoints) -> Course {
        Course { points, stage: Stage::Before, change: None, last: None }
    }

    /// A class that is initialised now counts from its initialisation on.
    pub(crate) fn is_between(&self) -> bool {
        self.stage == Stage::Between || self.points.is_across_runs() && self.last.is_some()
    }

    /// `started`: the framework has told of the test. Some make its object before they do, and may then not run it after all.
    pub(crate) fn comes_to(&self, point: CapturePoint, started: bool) -> Due {
        let is_first = point == self.points.from;
        if self.points.is_across_runs() {
            return match (is_first && self.stage == Stage::Before, &self.last) {
                (false, _) => Due::Nothing,
                (true, None) => Due::First,
                (true, Some(_)) => Due::Second,
            };
        }
        match self.stage {
            Stage::Before if is_first => Due::First,
            Stage::Between if is_first && !started => Due::First,
            Stage::Between if point == self.points.to => Due::Second,
            // Some come to a point again, as with a rule that tries a test twice: the first time counts.
            _ => Due::Nothing,
        }
    }

    /// With what differs, the second time.
    pub(crate) fn looked(&mut self, due: Due, change: Option<StateChange>) {
        self.stage = match due {
            Due::First if !self.points.is_across_runs() => Stage::Between,
            _ => Stage::After,
        };
        self.change = change;
    }

    /// A look was due, and could not be.
    pub(crate) fn missed(&mut self) {
        *self = Course::new(self.points);
    }

    /// What the test changed between the points, if it came to both.
    pub(crate) fn ends(&mut self, address: &str) -> Option<StateChange> {
        let change = self.change.take();
        let came = std::mem::replace(&mut self.stage, Stage::Before) == Stage::After;
        if !self.points.is_across_runs() {
            return change;
        }
        let last = std::mem::replace(&mut self.last, came.then(|| address.to_owned()));
        change.filter(|_| last.as_deref() == Some(address))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use CapturePoint::{
        AfterSetup, AfterTeardown, BeforeConstruction, BeforeSetup, BeforeTeardown,
    };

    fn course(from: CapturePoint, to: CapturePoint) -> Course {
        Course::new(CapturePoints { from, to })
    }

    /// Comes to a point, and looks if that is due.
    fn come(course: &mut Course, point: CapturePoint) -> Due {
        let due = course.comes_to(point, true);
        if due != Due::Nothing {
            course.looked(due, (due == Due::Second).then(StateChange::default));
        }
        due
    }

    #[test]
    fn the_state_is_looked_at_at_the_two_points_and_at_no_other() {
        let mut course = course(AfterSetup, BeforeTeardown);
        let dues = CapturePoint::ALL.map(|point| come(&mut course, point));
        let (first, second) = (Due::First, Due::Second);
        assert_eq!(dues, [Due::Nothing, Due::Nothing, first, second, Due::Nothing]);
        assert_eq!(course.ends("a"), Some(StateChange::default()));
        assert_eq!(course.ends("a"), None, "it is told once");
    }

    #[test]
    fn a_test_that_misses_a_point_is_not_looked_at() {
        let mut course = course(BeforeSetup, BeforeTeardown);
        come(&mut course, BeforeTeardown);
        assert_eq!(course.ends("without the first"), None);
        come(&mut course, BeforeSetup);
        come(&mut course, AfterTeardown);
        assert_eq!(course.ends("without the second"), None);
        assert_eq!(come(&mut course, BeforeTeardown), Due::Nothing, "the first was another test's");
    }

    #[test]
    fn nothing_is_compared_with_a_state_that_could_not_be_looked_at() {
        let mut course = course(BeforeSetup, AfterTeardown);
        assert_eq!(course.comes_to(BeforeSetup, true), Due::First);
        course.missed();
        assert_eq!(come(&mut course, AfterTeardown), Due::Nothing);
        assert_eq!(course.ends("a"), None);
    }

    #[test]
    fn an_object_whose_test_never_starts_is_nobodys_beginning() {
        let mut course = course(BeforeConstruction, AfterTeardown);
        come(&mut course, BeforeConstruction);
        assert!(course.is_between());
        assert_eq!(course.comes_to(BeforeConstruction, false), Due::First);
        assert_eq!(course.comes_to(BeforeConstruction, true), Due::Nothing, "it is made twice");
    }

    #[test]
    fn the_same_point_is_compared_from_one_run_of_a_test_to_the_next() {
        let mut course = course(AfterSetup, AfterSetup);
        assert_eq!(come(&mut course, AfterSetup), Due::First);
        assert_eq!(come(&mut course, AfterSetup), Due::Nothing, "once in a run");
        assert_eq!(course.ends("a"), None);
        assert_eq!(come(&mut course, AfterSetup), Due::Second);
        assert_eq!(course.ends("a"), Some(StateChange::default()));
        assert_eq!(come(&mut course, AfterSetup), Due::Second);
        assert_eq!(course.ends("b"), None, "what differs is by a, whose end was told");
        assert_eq!(course.ends("c"), None, "it did not come there");
        assert_eq!(come(&mut course, AfterSetup), Due::First);
    }
}
