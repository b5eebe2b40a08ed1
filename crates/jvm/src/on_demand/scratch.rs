//! An object that is kept to work with, such as an iterator: whoever uses it calls `reset` on it first.

use surefoot_classfile::{Action, How, Source, Step};
use surefoot_model::Filling;

use super::visit::{Visit, meet};

pub(super) fn filling(visits: &[Visit<'_>]) -> Filling {
    let mut after_the_start = visits.iter().filter(|visit| !visit.initialises).peekable();
    let is_used = after_the_start.peek().is_some();
    match is_used && after_the_start.all(|visit| makes_it(visit) && resets_it_first(visit)) {
        true => Filling::OnDemand,
        false => Filling::Unknown,
    }
}

/// Another one that is put in its place is new: what its maker knew of it, nobody else does.
fn makes_it(visit: &Visit<'_>) -> bool {
    let is_new = |source: &Source| match source {
        Source::Step(at) => {
            visit.flow.steps.get(at).is_some_and(|step| step.action == Action::Makes)
        }
        _ => false,
    };
    visit.written.iter().all(|value| value.iter().all(is_new))
}

/// It calls methods of it and does nothing else with it, and the first of these makes it as new.
fn resets_it_first(visit: &Visit<'_>) -> bool {
    let is_about_it = |step: &&Step<'_>| step.operands.iter().any(|one| meet(one, &visit.read));
    let mut called = visit.flow.steps.values().filter(is_about_it).map(|step| called(step, visit));
    let resets = |name: Option<&[u8]>| name.is_some_and(|name| name.starts_with(b"reset"));
    called.next().is_none_or(resets) && called.all(|name| name.is_some())
}

/// The method of it that a step calls; none if the step does something else with it.
fn called<'a>(step: &Step<'a>, visit: &Visit<'_>) -> Option<&'a [u8]> {
    let [of, arguments @ ..] = &step.operands[..] else { return None };
    let is_handed_on = arguments.iter().any(|one| meet(one, &visit.read));
    match step.action {
        Action::Uses(one) if one.how == How::Calls => {
            (meet(of, &visit.read) && !is_handed_on).then_some(one.name)
        }
        _ => None,
    }
}
