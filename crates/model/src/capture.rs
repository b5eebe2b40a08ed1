//! Between which points of a test the state is compared (PolDet, 4.2).

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

use crate::Framework;

/// A moment in the life of a test, in their order.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum CapturePoint {
    BeforeConstruction,
    BeforeSetup,
    AfterSetup,
    BeforeTeardown,
    AfterTeardown,
}

impl CapturePoint {
    pub const ALL: [CapturePoint; 5] = [
        CapturePoint::BeforeConstruction,
        CapturePoint::BeforeSetup,
        CapturePoint::AfterSetup,
        CapturePoint::BeforeTeardown,
        CapturePoint::AfterTeardown,
    ];

    pub fn name(self) -> &'static str {
        match self {
            CapturePoint::BeforeConstruction => "before-construction",
            CapturePoint::BeforeSetup => "before-setup",
            CapturePoint::AfterSetup => "after-setup",
            CapturePoint::BeforeTeardown => "before-teardown",
            CapturePoint::AfterTeardown => "after-teardown",
        }
    }

    pub fn named(name: &str) -> Option<CapturePoint> {
        CapturePoint::ALL.into_iter().find(|point| point.name() == name)
    }
}

/// Two points of one test; or the same one twice: that of a run, and that of the next run of the same test.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct CapturePoints {
    pub from: CapturePoint,
    pub to: CapturePoint,
}

impl CapturePoints {
    /// Seen only where a test runs twice in a row.
    pub fn is_across_runs(self) -> bool {
        self.from == self.to
    }
}

impl fmt::Display for CapturePoints {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}..{}", self.from.name(), self.to.name())
    }
}

impl FromStr for CapturePoints {
    type Err = String;

    fn from_str(text: &str) -> Result<CapturePoints, String> {
        let points = text.split_once("..").and_then(|(from, to)| {
            Some(CapturePoints { from: CapturePoint::named(from)?, to: CapturePoint::named(to)? })
        });
        let Some(points) = points else {
            let names = CapturePoint::ALL.map(CapturePoint::name).join(", ");
            return Err(format!(
                "it is two of {names} with .. in between, as in before-setup..after-teardown"
            ));
        };
        if points.from > points.to {
            return Err(format!("{} comes after {}", points.from.name(), points.to.name()));
        }
        Ok(points)
    }
}

impl Framework {
    /// Why tests of this framework do not come to this point, one by one; none if they do.
    pub fn lacks(self, point: CapturePoint) -> Option<&'static str> {
        match self {
            Framework::JUnit3 | Framework::TestNg if point == CapturePoint::BeforeConstruction => {
                Some("it makes the objects of its tests before the first of them runs")
            }
            Framework::Pytest => Some("points are for tests on the JVM"),
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn points_are_parsed_and_nonsense_is_refused() {
        let points: CapturePoints = "after-setup..before-teardown".parse().unwrap();
        assert_eq!(points.to_string(), "after-setup..before-teardown");
        assert!(!points.is_across_runs());
        let same: CapturePoints = "before-setup..before-setup".parse().unwrap();
        assert!(same.is_across_runs());
        for text in ["", "before-setup", "before-setup..", "before..after", "a..b..c"] {
            assert!(text.parse::<CapturePoints>().is_err(), "{text}");
        }
        let error = "after-setup..before-setup".parse::<CapturePoints>().unwrap_err();
        assert_eq!(error, "after-setup comes after before-setup");
    }

    #[test]
    fn a_framework_that_makes_all_objects_first_shows_no_construction() {
        let lacks = |framework: Framework| {
            CapturePoint::ALL.into_iter().filter(|point| framework.lacks(*point).is_some()).count()
        };
        let all = [Framework::JUnit3, Framework::JUnit4, Framework::JunitPlatform];
        assert_eq!(all.map(lacks), [1, 0, 0]);
        assert_eq!([Framework::TestNg, Framework::Pytest].map(lacks), [1, 5]);
    }
}
