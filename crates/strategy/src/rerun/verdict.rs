//! What a test's history says of it.

use surefoot_model::RunResult;

use super::history::{History, Place, Series};

/// How often a suspect runs alone, once and several times in a row, each time in a fresh VM.
///
/// A test that fails by chance is taken for NIO if it passes each time that it runs first, and fails each time that it runs
/// again. Whatever its chance, with 5 and 5 that happens to fewer than 1 in 20,000.
pub(super) const CONFIRMATIONS: u32 = 5;

/// In how many fresh VMs something must have been seen among others.
pub(super) const AMONG: usize = 3;

/// Where the same run of a VM should end the same each time. With whatever files are there, it need not.
const PLACES: [Place; 4] = [Place::Alone, Place::Among, Place::Suite, Place::AcrossVms];

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Verdict {
    /// Passes alone, and fails when it runs again.
    Nio,
    /// Alone it passes as often as one likes; after other tests it passes once.
    NioAmong,
    /// The same, and with the files that it leaves it fails at once.
    NioFiles,
    /// The same, but only in the directory that it was watched in: in a copy it fails.
    NioInPlace,
    /// Passes however often it runs in one VM, and fails in the next one, with the files that it left.
    NioAcrossVms,
    /// Ends in different ways in settings that are the same.
    Flaky,
    /// Fails alone, passes after others.
    Brittle,
    /// Passes alone, fails after others.
    Victim,
    /// Fails alone, as it did when watched.
    Failing,
    /// Passed when watched, and in no VM of ours.
    NotReplayable,
    /// Passes however often it runs.
    Sound,
    /// What was seen does not suffice to call it any of these.
    Undecided,
}

impl History {
    pub(super) fn verdict(&self) -> Verdict {
        if !self.is_suspect() {
            return if self.is_sound() { Verdict::Sound } else { Verdict::Undecided };
        }
        if self.is_mixed() {
            return Verdict::Flaky;
        }
        if self.is_failing() {
            return Verdict::Failing;
        }
        match (self.passes_alone(), self.fails_alone()) {
            (true, _) => self.verdict_passing_alone(),
            (_, true) => self.verdict_failing_alone(),
            _ => Verdict::Undecided,
        }
    }

    fn verdict_passing_alone(&self) -> Verdict {
        let again = |place| -> (usize, bool) {
            let repeats = self.repeats(place);
            (repeats.len(), repeats.iter().all(|series| series.failed_again().is_some()))
        };
        let (alone, among) = (again(Place::Alone), again(Place::Among));
        let firsts = self.firsts(Place::Among);
        // What once ended in different ways must be seen more often.
        let disturbed = self.at(Place::Disturbed).next().is_some();
        let least = if disturbed { CONFIRMATIONS as usize } else { AMONG };
        let (across, in_place) = (again(Place::AcrossVms), self.firsts(Place::AsLeft));
        if alone.0 >= CONFIRMATIONS as usize && alone.1 {
            let trips_over_files =
                in_place.len() >= AMONG && in_place.iter().all(|result| result.is_bad());
            if trips_over_files { Verdict::NioFiles } else { Verdict::Nio }
        } else if among.0 >= least && among.1 {
            Verdict::NioAmong
        } else if firsts.len() >= least && firsts.iter().all(|result| result.is_bad()) {
            Verdict::Victim
        } else if across.0 >= AMONG && across.1 {
            Verdict::NioAcrossVms
        } else {
            Verdict::Undecided
        }
    }

    fn verdict_failing_alone(&self) -> Verdict {
        let among: Vec<&RunResult> =
            [Place::Among, Place::Suite].into_iter().flat_map(|place| self.firsts(place)).collect();
        let passes_among = !among.is_empty() && among.iter().all(|result| result.passed());
        match (self.passed_when_watched(), passes_among) {
            (true, true) => Verdict::Brittle,
            (true, false) if among.iter().all(|result| result.is_bad()) => self.verdict_in_place(),
            _ => Verdict::Undecided,
        }
    }

    /// It fails wherever it was run so far. Does it in its own directory?
    fn verdict_in_place(&self) -> Verdict {
        let (firsts, repeats) = (self.firsts(Place::AsLeft), self.repeats(Place::AsLeft));
        let least = CONFIRMATIONS as usize;
        if firsts.len() < least || !firsts.iter().all(|result| result.passed()) {
            Verdict::NotReplayable
        } else if repeats.len() >= least && failed_again(&repeats) == repeats.len() {
            Verdict::NioInPlace
        } else {
            Verdict::Undecided
        }
    }

    /// Failed when watched, and wherever it ran since.
    pub(super) fn is_failing(&self) -> bool {
        let ours = || self.series.iter().filter_map(|series| series.results.first());
        !self.watched.is_empty()
            && !self.firsts(Place::Alone).is_empty()
            && self.watched.iter().chain(ours()).all(RunResult::is_bad)
    }

    fn is_mixed(&self) -> bool {
        PLACES.into_iter().any(|place| self.is_mixed_at(place))
    }

    /// Passed and failed at this place as the same run of its VM.
    pub(super) fn is_mixed_at(&self, place: Place) -> bool {
        (0..self.longest(place)).any(|position| {
            let results = self.nth(place, position);
            results.iter().any(|result| result.passed())
                && results.iter().any(|result| result.is_bad())
        })
    }

    /// Where it ran, and as which run of a VM.
    pub(super) fn positions(&self) -> impl Iterator<Item = (Place, usize)> {
        PLACES.into_iter().flat_map(|place| (0..self.longest(place)).map(move |at| (place, at)))
    }

    fn longest(&self, place: Place) -> usize {
        self.at(place).map(|series| series.results.len()).max().unwrap_or(0)
    }

    pub(super) fn nth(&self, place: Place, position: usize) -> Vec<&RunResult> {
        self.at(place).filter_map(|series| series.results.get(position)).collect()
    }

    pub(super) fn passes_alone(&self) -> bool {
        self.always_alone(RunResult::passed)
    }

    pub(super) fn fails_alone(&self) -> bool {
        self.always_alone(RunResult::is_bad)
    }

    fn always_alone(&self, so: fn(&RunResult) -> bool) -> bool {
        let alone = self.firsts(Place::Alone);
        alone.len() >= CONFIRMATIONS as usize && alone.into_iter().all(so)
    }

    /// Alone it passes, however often; but not after others. More runs after others must tell.
    pub(super) fn needs_others_again(&self) -> bool {
        let alone_again = || self.repeats(Place::Alone).iter().any(|s| s.failed_again().is_some());
        let bad_among = || self.at(Place::Among).flat_map(|s| &s.results).any(RunResult::is_bad);
        self.passes_alone() && !alone_again() && bad_among()
    }

    /// Alone it fails, and nobody has yet seen whether a VM of ours can make it pass.
    pub(super) fn needs_the_suite(&self) -> bool {
        self.fails_alone()
            && self.passed_when_watched()
            && !self.firsts(Place::Among).iter().any(|result| result.passed())
    }
}

/// Of these series, in how many it passed and then failed.
pub(super) fn failed_again(series: &[&Series]) -> usize {
    series.iter().filter(|series| series.failed_again().is_some()).count()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::samples::failed;
    use RunResult::Passed;

    fn history(watched: RunResult, series: &[(Place, &[RunResult], u32)]) -> History {
        let series = series.iter().flat_map(|(place, results, often)| {
            let one = Series { place: *place, results: results.to_vec() };
            std::iter::repeat_n(one, *often as usize)
        });
        History { watched: vec![watched], series: series.collect(), ..History::default() }
    }

    #[test]
    fn a_test_that_passes_and_then_fails_in_every_fresh_vm_is_nio() {
        let twice: (Place, &[RunResult], u32) = (Place::Alone, &[Passed, failed()], 5);
        let once: (Place, &[RunResult], u32) = (Place::Alone, &[Passed], 5);
        assert_eq!(history(Passed, &[twice, once]).verdict(), Verdict::Nio);
        // Even if others make it fail at once.
        let among: (Place, &[RunResult], u32) = (Place::Among, &[failed(), failed()], 1);
        assert_eq!(history(failed(), &[among, twice, once]).verdict(), Verdict::Nio);
    }

    #[test]
    fn too_few_fresh_vms_are_not_enough() {
        let seen = history(Passed, &[(Place::Alone, &[Passed, failed()], 4)]);
        assert_eq!(seen.verdict(), Verdict::Undecided);
        let seen = history(Passed, &[(Place::Among, &[Passed, failed()], 2)]);
        assert_eq!(seen.verdict(), Verdict::Undecided);
    }

    #[test]
    fn whatever_ends_differently_in_the_same_setting_is_never_nio() {
        let nio: (Place, &[RunResult], u32) = (Place::Alone, &[Passed, failed()], 5);
        for odd in [
            (Place::Alone, &[Passed, Passed][..], 1),
            (Place::Alone, &[failed()][..], 1),
            (Place::Alone, &[failed(), Passed][..], 1),
        ] {
            assert_eq!(history(Passed, &[nio, odd]).verdict(), Verdict::Flaky, "{odd:?}");
        }
        let among: (Place, &[RunResult], u32) = (Place::Among, &[Passed, Passed], 1);
        let other: (Place, &[RunResult], u32) = (Place::Among, &[Passed, failed()], 1);
        assert_eq!(history(Passed, &[nio, among, other]).verdict(), Verdict::Flaky);
    }

    #[test]
    fn a_test_that_others_make_nio_is_told_apart() {
        let alone: (Place, &[RunResult], u32) = (Place::Alone, &[Passed, Passed], 5);
        let among: (Place, &[RunResult], u32) = (Place::Among, &[Passed, failed()], 3);
        assert_eq!(history(Passed, &[alone, among]).verdict(), Verdict::NioAmong);
    }

    #[test]
    fn victims_pass_alone_and_brittle_tests_fail_alone() {
        let passes: (Place, &[RunResult], u32) = (Place::Alone, &[Passed, Passed], 5);
        let fails: (Place, &[RunResult], u32) = (Place::Alone, &[failed(), failed()], 5);
        let bad: (Place, &[RunResult], u32) = (Place::Among, &[failed(), failed()], 3);
        let good: (Place, &[RunResult], u32) = (Place::Suite, &[Passed], 2);
        assert_eq!(history(failed(), &[passes, bad]).verdict(), Verdict::Victim);
        assert_eq!(history(Passed, &[passes, bad]).verdict(), Verdict::Victim);
        assert_eq!(history(Passed, &[fails, good]).verdict(), Verdict::Brittle);
        assert_eq!(history(Passed, &[fails, bad]).verdict(), Verdict::NotReplayable);
        let once: (Place, &[RunResult], u32) = (Place::Alone, &[failed()], 1);
        assert_eq!(history(failed(), &[once, bad]).verdict(), Verdict::Failing);
    }

    #[test]
    fn a_test_that_trips_over_its_files_fails_at_once_where_they_are() {
        let again: (Place, &[RunResult], u32) = (Place::Alone, &[Passed, failed()], 5);
        let bad: (Place, &[RunResult], u32) = (Place::AsLeft, &[failed()], 3);
        let good: (Place, &[RunResult], u32) = (Place::AsLeft, &[Passed], 3);
        assert_eq!(history(Passed, &[again, bad]).verdict(), Verdict::NioFiles);
        assert_eq!(history(Passed, &[again, good]).verdict(), Verdict::Nio);
        // One that takes away what it left: in place it fails every other time.
        let odd: (Place, &[RunResult], u32) = (Place::AsLeft, &[failed()], 2);
        let even: (Place, &[RunResult], u32) = (Place::AsLeft, &[Passed], 1);
        assert_eq!(history(Passed, &[again, odd, even]).verdict(), Verdict::Nio);
    }

    #[test]
    fn files_that_only_the_next_vm_trips_over() {
        let often: (Place, &[RunResult], u32) = (Place::Alone, &[Passed, Passed], 5);
        let next: (Place, &[RunResult], u32) = (Place::NextVm, &[failed()], 1);
        let across: (Place, &[RunResult], u32) = (Place::AcrossVms, &[Passed, failed()], 3);
        let seen = history(Passed, &[often, next]);
        assert!(seen.needs_other_vms());
        assert_eq!(seen.verdict(), Verdict::Undecided);
        assert_eq!(history(Passed, &[often, next, across]).verdict(), Verdict::NioAcrossVms);
        assert!(!history(Passed, &[often]).needs_other_vms());
    }

    #[test]
    fn a_test_that_needs_its_own_directory_is_judged_there() {
        let copied: (Place, &[RunResult], u32) = (Place::Alone, &[failed(), failed()], 5);
        let among: (Place, &[RunResult], u32) = (Place::Among, &[failed(), failed()], 3);
        let again: (Place, &[RunResult], u32) = (Place::AsLeft, &[Passed, failed()], 5);
        let often: (Place, &[RunResult], u32) = (Place::AsLeft, &[Passed, Passed], 5);
        let never: (Place, &[RunResult], u32) = (Place::AsLeft, &[failed(), failed()], 5);
        let verdict = |in_place| history(Passed, &[copied, among, in_place]).verdict();
        assert_eq!(verdict(again), Verdict::NioInPlace);
        assert_eq!(verdict(often), Verdict::Undecided);
        assert_eq!(verdict(never), Verdict::NotReplayable);
    }

    #[test]
    fn a_test_that_was_not_run_twice_is_not_called_sound() {
        let skipped = RunResult::Skipped { reason: None };
        let seen = history(Passed, &[(Place::Among, &[Passed, skipped], 1)]);
        assert_eq!(seen.verdict(), Verdict::Undecided);
        let seen = history(Passed, &[(Place::Among, &[Passed, Passed], 1)]);
        assert_eq!(seen.verdict(), Verdict::Sound);
    }
}
