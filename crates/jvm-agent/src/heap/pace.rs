//! Which way to walk, and whether to walk at all, by what walks have taken so far. Pure: times are handed in.

use std::time::Duration;

/// The two ways to walk.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Way {
    /// Object by object; its time goes with what is walked.
    Visit,
    /// With the VM's own walker; its time goes with the whole heap, garbage included.
    Follow,
}

#[derive(Debug, Default)]
pub(crate) struct Pace {
    /// What the last walk of each way took, and how many references it met.
    visit: Option<(Duration, usize)>,
    follow: Option<(Duration, usize)>,
    spent: Duration,
    /// The longest that looking once takes, as of late.
    last_look: Duration,
}

/// Below this the first way is always quick enough to try.
const SMALL: usize = 200_000;

/// Of what a limit allows, the share that looks may take by the clock. The rest is for what no clock shows: tagged objects make garbage
/// collections longer, and what the tests had in the processor's caches is gone after a look.
const BY_THE_CLOCK: f64 = 2.0 / 3.0;

impl Pace {
    /// The way that should take less time for about so many references.
    pub(crate) fn way(&self, references: usize) -> Way {
        if references <= SMALL && self.follow.is_none() {
            return Way::Visit;
        }
        let Some((followed, _)) = self.follow else { return Way::Follow };
        match self.visit {
            Some((visited, met)) => {
                let share = references as f64 / met.max(1) as f64;
                let predicted = visited.as_secs_f64() * share;
                if predicted < followed.as_secs_f64() { Way::Visit } else { Way::Follow }
            }
            None => Way::Follow,
        }
    }

    /// So many references at most; more of them would show that the other way is the better one.
    pub(crate) fn most_references(&self) -> usize {
        match (self.visit, self.follow) {
            (Some((visited, met)), Some((followed, _))) => {
                let share = followed.as_secs_f64() / visited.as_secs_f64().max(1e-6);
                ((met as f64 * share * 2.0) as usize).max(SMALL)
            }
            _ => SMALL,
        }
    }

    pub(crate) fn walked(&mut self, way: Way, references: usize, took: Duration) {
        let known = match way {
            Way::Visit => &mut self.visit,
            Way::Follow => &mut self.follow,
        };
        *known = Some((took, references));
    }

    pub(crate) fn looked(&mut self, took: Duration) {
        self.spend(took);
        self.last_look = took;
    }

    /// What something took that looks are in need of.
    pub(crate) fn spend(&mut self, took: Duration) {
        self.spent += took;
    }

    /// Whether one more look stays within so many times the plain run, `elapsed` after the first test began.
    pub(crate) fn affords(&self, overhead: f64, elapsed: Duration) -> bool {
        let plain = elapsed.saturating_sub(self.spent);
        let allowed = plain.as_secs_f64() * (overhead - 1.0).max(0.0) * BY_THE_CLOCK;
        // An infinite share of nothing is no number.
        overhead.is_infinite() || (self.spent + self.last_look).as_secs_f64() <= allowed
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const MS: Duration = Duration::from_millis(1);

    #[test]
    fn little_state_is_visited_and_more_is_followed_once_to_see() {
        let pace = Pace::default();
        assert_eq!(pace.way(100), Way::Visit);
        assert_eq!(pace.way(SMALL + 1), Way::Follow);
    }

    #[test]
    fn the_quicker_way_is_taken() {
        let mut pace = Pace::default();
        pace.walked(Way::Visit, 100_000, 10 * MS);
        pace.walked(Way::Follow, 300_000, 80 * MS);
        assert_eq!(pace.way(300_000), Way::Visit);
        assert!(pace.most_references() > 300_000);
        assert_eq!(pace.way(1_000_000), Way::Follow);
    }

    #[test]
    fn looking_goes_on_as_long_as_it_is_affordable() {
        let mut pace = Pace::default();
        assert!(pace.affords(1.2, Duration::ZERO));
        pace.looked(10 * MS);
        assert!(!pace.affords(1.2, 60 * MS), "20 ms would be more than a fifth of 50");
        assert!(
            !pace.affords(1.2, 120 * MS),
            "a fifth of 110, but nothing left for what is not seen"
        );
        assert!(pace.affords(1.2, 165 * MS));
        pace.spend(10 * MS);
        assert!(!pace.affords(1.2, 165 * MS), "more than looks was to be paid");
        assert!(pace.affords(f64::INFINITY, 11 * MS));
    }
}
