//! Tests in VMs that are woven and choose nothing. What fails there fails by the weaving, or by not being in the user's own VM, and is not
//! looked at.

use surefoot_model::{Experiment, TestId};

use super::suspect::Suspect;
use super::{Assumptions, Proposed};

/// In suites with more tests the control comes first, so that those that reach no choice need not even be listed for every seed.
pub(super) const MANY: usize = 5000;

impl Assumptions<'_> {
    /// Tests of Python, and all if they are many.
    pub(super) fn control(&mut self) -> Vec<Experiment> {
        let are_many = self.tests.len() > MANY;
        self.control_of(|assumptions, test| are_many || assumptions.is_python(test))
    }

    /// Those that were not in it, in the order of the suite: some that did not pass among other suspects may pass there.
    pub(super) fn late_control(&mut self) -> Vec<Experiment> {
        self.control_of(|assumptions, test| !assumptions.controlled.contains(test))
    }

    fn control_of(&mut self, is_in_it: impl Fn(&Self, &TestId) -> bool) -> Vec<Experiment> {
        let tests: Vec<TestId> =
            self.tests.iter().filter(|test| is_in_it(self, test)).cloned().collect();
        let plan = self.plan(self.choosing(self.seeds.first).nothing());
        let mut experiments = Vec::new();
        self.add_forked(&mut experiments, &plan, &tests, &Proposed::Control);
        experiments
    }

    /// What ran in a fork and did not pass: that may be by the fork. (What was not collected will not be, however the process came to be.)
    pub(super) fn control_without_forks(&mut self) -> Vec<Experiment> {
        let plan = self.plan(self.choosing(self.seeds.first).nothing());
        let failed = self.failed_control.iter().filter(|(_, ran)| **ran).map(|(test, _)| test);
        let tests: Vec<TestId> = failed.filter(|test| self.may_be_forked(test)).cloned().collect();
        let mut experiments = Vec::new();
        self.add(&mut experiments, &plan, &tests, &Proposed::ControlWithoutForks);
        experiments
    }

    /// Whether suspects failed in fresh VMs each time, whatever was chosen.
    pub(super) fn needs_control(&self) -> bool {
        let fails = |(test, suspect): (&TestId, &Suspect)| {
            suspect.never_passes() && !self.controlled.contains(test)
        };
        self.suspects.iter().any(fails)
    }

    /// They are not looked at.
    pub(super) fn leave_out_failed_control(&mut self) {
        let failed = &self.failed_control;
        self.reached.retain(|test, _| !failed.contains_key(test));
        self.under_seeds.retain(|test, _| !failed.contains_key(test));
        self.suspects.retain(|test, _| !failed.contains_key(test));
    }
}
