//! The rounds of experiments in their order, and what is run in each.

use std::collections::{BTreeMap, BTreeSet};

use surefoot_model::{Experiment, Framework, Observe, Run, Start, TestId, Workspace};

use super::explanation::LOOKS;
use super::history::{History, Place};
use super::verdict::{AMONG, CONFIRMATIONS, Verdict};
use super::{
    ACROSS_VMS, ALONE, AMONG_OTHERS, CONTROL, IN_CLEAN_VM, IN_PLACE, Mode, NEXT_VM, Rerun, STATE,
    SUITE,
};
use crate::plan::{FreshVm, Plan, cut_after};

/// More NIO tests than this are not explained one by one.
const MOST_EXPLAINED: usize = 50;

/// Fewer runs than this are over soon.
const WORTH_DIVIDING: usize = 40;

/// Of forks that nothing is decided by.
const FIRST_PARENT: u32 = 0;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Round {
    InARow,
    /// Those that forks did not tell of what happens in a process that was started.
    Started,
    /// Those that came after a test that left something, without those that do so.
    WithoutLeaving,
    /// The rest, each by itself.
    Apart,
    /// The suite with the files that are there now.
    NextVm,
    /// Suspects, in one VM each.
    Alone,
    /// Those that do not simply fail, in more.
    Confirm,
    /// Those that ended in different ways, with no other VM of ours at the same time.
    ConfirmUndisturbed,
    AfterOthers,
    AfterOthersUndisturbed,
    /// NIO tests, and what never passed, with the files that are there now.
    InPlace,
    /// What passes alone and not with these, in one VM, and then in another with the files that the first left.
    FirstVm,
    SecondVm,
    /// What the first run of NIO tests leaves different.
    Look,
    /// With some of that put back, as long as there is something to try.
    PutBack,
    Done,
}

impl Round {
    pub(super) fn next(self) -> Round {
        match self {
            Round::InARow => Round::Started,
            Round::Started => Round::WithoutLeaving,
            Round::WithoutLeaving => Round::Apart,
            Round::Apart => Round::NextVm,
            Round::NextVm => Round::Alone,
            Round::Alone => Round::Confirm,
            Round::Confirm => Round::ConfirmUndisturbed,
            Round::ConfirmUndisturbed => Round::AfterOthers,
            Round::AfterOthers => Round::AfterOthersUndisturbed,
            Round::AfterOthersUndisturbed => Round::InPlace,
            Round::InPlace => Round::FirstVm,
            Round::FirstVm => Round::SecondVm,
            Round::SecondVm => Round::Look,
            Round::Look => Round::PutBack,
            Round::PutBack | Round::Done => Round::Done,
        }
    }

    /// What people read while it is under way.
    pub(super) fn name(self) -> &'static str {
        match self {
            Round::InARow | Round::Started | Round::WithoutLeaving | Round::Apart => "rerun",
            Round::Alone => "alone",
            Round::Confirm | Round::ConfirmUndisturbed => "confirm",
            Round::AfterOthers | Round::AfterOthersUndisturbed => "after others",
            Round::NextVm | Round::InPlace | Round::FirstVm | Round::SecondVm => "files",
            Round::Look | Round::PutBack | Round::Done => "explain",
        }
    }
}

impl Rerun<'_> {
    fn plan(&self) -> Plan {
        Plan {
            repeat: self.settings.repeat,
            class_setup: self.settings.class_setup,
            workspace: Workspace::AsFound,
            limits: self.settings.limits,
            ..Plan::default()
        }
    }

    pub(super) fn in_a_row(&mut self) -> Vec<Experiment> {
        let (fresh_vm, purpose) = match self.settings.mode {
            None => (FreshVm::AsWatched, AMONG_OTHERS),
            Some(Mode::Suite) => (FreshVm::Suite, AMONG_OTHERS),
            Some(Mode::Class) => (FreshVm::Class, AMONG_OTHERS),
            Some(Mode::Method) => (FreshVm::Test, ALONE),
        };
        let plan = Plan { fresh_vm, ..self.plan() };
        if purpose == AMONG_OTHERS {
            self.among = plan.experiments(self.watch, &self.tests, purpose, 0);
            let forked = self.forked(FIRST_PARENT, self.among.clone());
            return forked.into_iter().flat_map(|one| self.divided(one)).collect();
        }
        // A VM for each test would take many times what the tests take. One that all tests so far left as it was will do: what
        // does not pass each time is run in fresh ones. Many at once, since frameworks take long to find a test.
        let (seen, unseen): (Vec<TestId>, Vec<TestId>) =
            self.tests.iter().cloned().partition(|test| self.state_is_seen(test));
        let mut experiments = self.in_clean_vms(&seen, FreshVm::Maker);
        experiments.extend(plan.experiments(self.watch, &unseen, purpose, 0));
        experiments
    }

    pub(super) fn started(&mut self) -> Vec<Experiment> {
        std::mem::take(&mut self.untold)
    }

    /// In forks of this parent, where there can be such.
    fn forked(&self, parent: u32, mut experiments: Vec<Experiment>) -> Vec<Experiment> {
        for experiment in &mut experiments {
            if experiment.runs.iter().all(|run| self.is_python(&run.test)) {
                experiment.settings.start = Start::Forked { parent };
            }
        }
        experiments
    }

    /// A fork costs little, so each VM can have a part. Where a test needs others before it, that shows, and the whole is run.
    fn divided(&self, experiment: Experiment) -> Vec<Experiment> {
        let is_worth_it = experiment.runs.len() >= WORTH_DIVIDING;
        let parts = match (self.settings.mode, experiment.settings.start) {
            (None, Start::Forked { .. }) if is_worth_it => self.vms,
            // Whoever asks for one VM gets it.
            _ => 1,
        };
        let repeat = self.settings.repeat.max(1) as usize;
        let size = (experiment.runs.len() / repeat).div_ceil(parts).max(1) * repeat;
        let part = |runs: &[Run]| Experiment { runs: runs.to_vec(), ..experiment.clone() };
        experiment.runs.chunks(size).map(part).collect()
    }

    /// Of which this is a part, where nothing is forked.
    pub(super) fn whole(&self, part: &Experiment) -> Option<Experiment> {
        let first = part.runs.first()?;
        let has_it = |one: &&Experiment| {
            one.launch == part.launch && one.runs.iter().any(|run| run.test == first.test)
        };
        self.among.iter().find(has_it).cloned()
    }

    pub(super) fn apart(&self) -> Vec<Experiment> {
        if self.settings.mode != Some(Mode::Method) {
            return Vec::new();
        }
        let tests = self.those(|history| history.series.is_empty());
        if self.round == Round::Apart {
            return self.in_clean_vms(&tests, FreshVm::Test);
        }
        let (leaving, others): (Vec<TestId>, Vec<TestId>) =
            tests.into_iter().partition(|test| self.leaving.contains(test));
        let mut experiments = self.in_clean_vms(&others, FreshVm::Maker);
        experiments.extend(self.in_clean_vms(&leaving, FreshVm::Test));
        experiments
    }

    /// Each experiment in a VM that those before it left as it was.
    fn in_clean_vms(&self, tests: &[TestId], fresh_vm: FreshVm) -> Vec<Experiment> {
        // A copy for each would take longer than the tests, and what fails here is run with the right files.
        let (observe, workspace) = (Observe::Each, Workspace::InPlace);
        let plan = Plan { fresh_vm, observe, workspace, ..self.plan() };
        let mut experiments = plan.experiments(self.watch, tests, IN_CLEAN_VM, 0);
        for experiment in &mut experiments {
            experiment.settings.reuse = Some(self.reuse.clone());
        }
        experiments
    }

    fn state_is_seen(&self, test: &TestId) -> bool {
        // Of a Python process, too much is kept where nobody looks for it to be as good as new.
        self.can_be_put_back(test) && !self.is_python(test)
    }

    /// What a run of it changes is seen, and can be put back before the next.
    fn can_be_put_back(&self, test: &TestId) -> bool {
        !matches!(self.framework(test), None | Some(Framework::TestNg))
    }

    fn is_python(&self, test: &TestId) -> bool {
        self.framework(test) == Some(Framework::Pytest)
    }

    fn framework(&self, test: &TestId) -> Option<Framework> {
        self.watch.tests.get(test).map(|test| test.framework)
    }

    /// Suspects several times in a row, or only once where the mode only knows what passed at first where it ran it.
    pub(super) fn alone(&self) -> Vec<Experiment> {
        let mut suspects = self.some_suspects();
        suspects.retain(|test| self.histories[test].firsts(Place::Alone).is_empty());
        let (passed, failed): (Vec<TestId>, Vec<TestId>) =
            suspects.into_iter().partition(|test| self.histories[test].passed_when_watched());
        let mut experiments = self.once_or_in_a_row(&passed);
        // Nearly all of these just fail.
        experiments.extend(self.forked(FIRST_PARENT, self.once_or_in_a_row(&failed)));
        experiments
    }

    fn once_or_in_a_row(&self, tests: &[TestId]) -> Vec<Experiment> {
        let (in_a_row, once): (Vec<TestId>, Vec<TestId>) =
            tests.iter().cloned().partition(|test| self.is_repeated_alone(test));
        let mut experiments = self.in_fresh_vms(&once, 1, 1);
        experiments.extend(self.in_fresh_vms(&in_a_row, self.settings.repeat, 1));
        experiments
    }

    pub(super) fn confirm(&self) -> Vec<Experiment> {
        let mut suspects = self.some_suspects();
        suspects.retain(|test| !self.histories[test].is_failing());
        let repeated: Vec<TestId> =
            suspects.iter().filter(|test| self.is_repeated_alone(test)).cloned().collect();
        // What forks of one parent have in common by chance, those of another have not.
        let rounds = (1..=CONFIRMATIONS).map(|round| {
            let mut experiments = self.in_fresh_vms(&suspects, 1, 1);
            // In one VM they were already.
            if round < CONFIRMATIONS {
                experiments.extend(self.in_fresh_vms(&repeated, self.settings.repeat, 1));
            }
            self.forked(FIRST_PARENT + round, experiments)
        });
        let mut experiments = one_of_each(rounds.collect());
        // Each in one that was started, too.
        let was_forked =
            |test: &&TestId| self.is_python(test) && !self.histories[*test].passed_when_watched();
        let forked: Vec<TestId> = repeated.iter().filter(was_forked).cloned().collect();
        experiments.extend(self.in_fresh_vms(&forked, self.settings.repeat, 1));
        experiments
    }

    /// Once and several times in a row.
    fn all_confirmations(&self, tests: &[TestId]) -> Vec<Experiment> {
        let mut experiments = self.in_fresh_vms(tests, 1, CONFIRMATIONS);
        experiments.extend(self.in_fresh_vms(tests, self.settings.repeat, CONFIRMATIONS));
        experiments
    }

    fn in_fresh_vms(&self, tests: &[TestId], repeat: u32, rounds: u32) -> Vec<Experiment> {
        let purpose = if repeat == 1 { CONTROL } else { ALONE };
        let plan = Plan { fresh_vm: FreshVm::Test, repeat, rounds, ..self.plan() };
        plan.experiments(self.watch, tests, purpose, 0)
    }

    fn is_repeated_alone(&self, test: &TestId) -> bool {
        let failed_again =
            || self.histories[test].series.iter().any(|series| series.failed_again().is_some());
        !matches!(self.settings.mode, Some(Mode::Suite | Mode::Class)) || failed_again()
    }

    /// What ran among others once more, up to the last test that is in question; and the plain suite, up to the last test
    /// that nobody saw pass.
    pub(super) fn after_others(&self) -> Vec<Experiment> {
        let among: BTreeSet<TestId> = self.those(History::needs_others_again).into_iter().collect();
        let suite: BTreeSet<TestId> = self.those(History::needs_the_suite).into_iter().collect();
        let mut experiments = cut_after(&self.among, &among);
        experiments.extend(cut_after(&self.suite(), &suite));
        // Once it ran among others already.
        repeated(&experiments, AMONG - 1)
    }

    /// As it was watched.
    fn suite(&self) -> Vec<Experiment> {
        let all: Vec<TestId> = self.watch.tests.keys().cloned().collect();
        let plain = Plan { repeat: 1, ..self.plan() };
        plain.experiments(self.watch, &all, SUITE, 0)
    }

    /// What did not end the same each time, once more without other VMs of ours at the same time: two that write one file, or
    /// listen at one port, make each other fail.
    pub(super) fn undisturbed(&mut self) -> Vec<Experiment> {
        let mut disturbed: BTreeMap<Place, BTreeSet<TestId>> = BTreeMap::new();
        for test in self.those(|history| history.verdict() == Verdict::Flaky) {
            let Some(history) = self.histories.get_mut(&test) else { continue };
            for place in history.set_aside_the_disturbed() {
                disturbed.entry(place).or_default().insert(test.clone());
            }
        }
        let mut experiments = Vec::new();
        for (place, tests) in disturbed {
            experiments.extend(match place {
                Place::Alone => self.all_confirmations(&tests.into_iter().collect::<Vec<_>>()),
                Place::Among => repeated(&cut_after(&self.among, &tests), CONFIRMATIONS as usize),
                _ => repeated(&cut_after(&self.suite(), &tests), CONFIRMATIONS as usize),
            });
        }
        for experiment in &mut experiments {
            experiment.settings.undisturbed = true;
        }
        experiments
    }

    /// With the files that tests left there: what fails then trips over files. And what passed when watched and never since may
    /// need its own directory.
    pub(super) fn in_place(&self) -> Vec<Experiment> {
        let copied = |verdict: Verdict| {
            let mut tests = self.those(|history| history.verdict() == verdict);
            tests.retain(|test| self.copied.contains(test));
            tests
        };
        let (mut lost, nio) = (copied(Verdict::NotReplayable), copied(Verdict::Nio));
        lost.truncate(MOST_EXPLAINED);
        let mut experiments = self.all_confirmations(&lost);
        experiments.extend(self.in_fresh_vms(&nio, 1, AMONG as u32));
        as_it_is(experiments, IN_PLACE)
    }

    /// The watched run was the first VM that left files, this is the second.
    pub(super) fn next_vm(&self) -> Vec<Experiment> {
        match self.settings.across_vms {
            true => as_it_is(self.suite(), NEXT_VM),
            false => Vec::new(),
        }
    }

    /// Each test once, in as many copies as it takes; the next time the same copies are used again.
    pub(super) fn across_vms(&self) -> Vec<Experiment> {
        if !self.settings.across_vms {
            return Vec::new();
        }
        let tests = self.those(History::needs_other_vms);
        let mut experiments = Vec::new();
        for (number, test) in tests.iter().enumerate() {
            let rounds = self.in_fresh_vms(std::slice::from_ref(test), 1, AMONG as u32);
            experiments.extend(rounds.into_iter().enumerate().map(|(nth, mut experiment)| {
                experiment.purpose = ACROSS_VMS.to_owned();
                experiment.settings.workspace = Workspace::SharedCopy(format!("{number}-{nth}"));
                experiment
            }));
        }
        experiments
    }

    /// NIO tests, with the state compared around each run.
    pub(super) fn look(&self) -> Vec<Experiment> {
        let mut nio = self.those(|history| history.verdict() == Verdict::Nio);
        nio.retain(|test| self.can_be_put_back(test));
        nio.truncate(MOST_EXPLAINED);
        self.with_state(&nio, &[])
    }

    pub(super) fn put_back(&mut self) -> Vec<Experiment> {
        let mut explanations = std::mem::take(&mut self.explanations);
        let trials = explanations.iter_mut().flat_map(|(test, explanation)| {
            let trials = explanation.trials(self.failure(test));
            trials.into_iter().flat_map(|keep| self.with_state(std::slice::from_ref(test), &keep))
        });
        let experiments = trials.collect();
        self.explanations = explanations;
        experiments
    }

    fn with_state(&self, tests: &[TestId], keep: &[String]) -> Vec<Experiment> {
        let (fresh_vm, observe) = (FreshVm::Test, Observe::Each);
        let plan = Plan { fresh_vm, observe, rounds: LOOKS, ..self.plan() };
        // What a test trips over is no verdict, and may take many looks.
        let experiments = plan.experiments(self.watch, tests, STATE, 0);
        let mut experiments = self.forked(FIRST_PARENT, experiments);
        for experiment in &mut experiments {
            experiment.settings.keep = keep.to_vec();
        }
        experiments
    }
}

/// In turn, so that nobody waits for one parent while another could be started.
fn one_of_each(rounds: Vec<Vec<Experiment>>) -> Vec<Experiment> {
    let mut rounds: Vec<_> = rounds.into_iter().map(Vec::into_iter).collect();
    let mut all = Vec::new();
    loop {
        let before = all.len();
        all.extend(rounds.iter_mut().filter_map(Iterator::next));
        if all.len() == before {
            return all;
        }
    }
}

/// In the directory as it is now.
fn as_it_is(mut experiments: Vec<Experiment>, purpose: &str) -> Vec<Experiment> {
    for experiment in &mut experiments {
        experiment.purpose = purpose.to_owned();
        experiment.settings.workspace = Workspace::InPlace;
    }
    experiments
}

fn repeated(experiments: &[Experiment], times: usize) -> Vec<Experiment> {
    std::iter::repeat_n(experiments, times).flatten().cloned().collect()
}
