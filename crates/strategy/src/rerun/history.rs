//! How one test ended, in each VM that it ran in.

use surefoot_model::RunResult;

/// Where runs of a test took place. With the files that the watched run found, if nothing else is said.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Place {
    /// With nothing before it in a fresh VM.
    Alone,
    /// In a VM in which others ran before, all of which left the state as it was, as far as that is looked at.
    CleanVm,
    /// After other tests, each of which ran several times in a row.
    Among,
    /// In the suite as it was watched, where each test runs once.
    Suite,
    /// With nothing before it in a fresh VM, and with the files that are there now.
    AsLeft,
    /// In the suite as it was watched, with the files that are there now.
    NextVm,
    /// Each run in a fresh VM, with the files that the run before it left.
    AcrossVms,
    /// Among others too, but a VM had died before, and with it what they left.
    AfterDeath,
    /// At one of these, where it did not end the same each time, while other VMs of ours ran: they may be what disturbed it.
    Disturbed,
}

/// The runs of one test in one VM, in order.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Series {
    pub(super) place: Place,
    pub(super) results: Vec<RunResult>,
}

#[derive(Debug, Clone, Default)]
pub(super) struct History {
    /// In the user's own run. Usually one.
    pub(super) watched: Vec<RunResult>,
    pub(super) series: Vec<Series>,
    /// Where only runs count that no other VM of ours can have disturbed.
    pub(super) undisturbed: Vec<Place>,
}

impl Series {
    /// The first later run that ended badly, if the first run passed.
    pub(super) fn failed_again(&self) -> Option<&RunResult> {
        let (first, later) = self.results.split_first()?;
        later.iter().find(|result| first.passed() && result.is_bad())
    }

    fn is_repeat(&self) -> bool {
        self.results.len() > 1 && self.results[0].passed()
    }
}

impl History {
    pub(super) fn at(&self, place: Place) -> impl Iterator<Item = &Series> {
        self.series.iter().filter(move |series| series.place == place)
    }

    /// How it ended where it ran for the first time in a VM.
    pub(super) fn firsts(&self, place: Place) -> Vec<&RunResult> {
        self.at(place).filter_map(|series| series.results.first()).collect()
    }

    /// Series of several runs of which the first passed.
    pub(super) fn repeats(&self, place: Place) -> Vec<&Series> {
        self.at(place).filter(|series| series.is_repeat()).collect()
    }

    /// Leaves out of account what did not end the same each time while other VMs of ours ran, and says where that was.
    pub(super) fn set_aside_the_disturbed(&mut self) -> Vec<Place> {
        let places: Vec<Place> = [Place::Alone, Place::Among, Place::Suite]
            .into_iter()
            .filter(|place| !self.undisturbed.contains(place) && self.is_mixed_at(*place))
            .collect();
        for series in self.series.iter_mut().filter(|series| places.contains(&series.place)) {
            series.place = Place::Disturbed;
        }
        self.undisturbed.extend(&places);
        places
    }

    /// Something ended badly, in a VM of ours.
    pub(super) fn is_suspect(&self) -> bool {
        self.series.iter().flat_map(|series| &series.results).any(RunResult::is_bad)
    }

    /// Every run of ours passed, and there were several in a row.
    pub(super) fn is_sound(&self) -> bool {
        let mut results = self.series.iter().flat_map(|series| &series.results);
        results.all(RunResult::passed) && self.series.iter().any(Series::is_repeat)
    }

    /// Alone it passes, however often it runs in one VM; but not with the files that are there now.
    pub(super) fn needs_other_vms(&self) -> bool {
        self.passes_alone()
            && self.at(Place::Alone).flat_map(|series| &series.results).all(RunResult::passed)
            && self.firsts(Place::NextVm).into_iter().any(RunResult::is_bad)
    }

    pub(super) fn passed_when_watched(&self) -> bool {
        !self.watched.is_empty() && self.watched.iter().all(RunResult::passed)
    }
}
