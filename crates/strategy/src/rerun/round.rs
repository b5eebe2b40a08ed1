//! The rounds of experiments, in their order.

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Round {
    InARow,
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
            Round::InARow => Round::WithoutLeaving,
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
            Round::InARow | Round::WithoutLeaving | Round::Apart => "rerun",
            Round::Alone => "alone",
            Round::Confirm | Round::ConfirmUndisturbed => "confirm",
            Round::AfterOthers | Round::AfterOthersUndisturbed => "after others",
            Round::NextVm | Round::InPlace | Round::FirstVm | Round::SecondVm => "files",
            Round::Look | Round::PutBack | Round::Done => "explain",
        }
    }
}
