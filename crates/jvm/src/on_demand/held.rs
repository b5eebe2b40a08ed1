//! A thread local that keeps what was last worked out: `get`, and if that is not for what is asked, `set`.

use std::collections::BTreeSet;

use surefoot_classfile::{Action, Source, Sources};
use surefoot_model::Filling;

use super::visit::{Method, Visit, meet};

pub(super) fn filling(visits: &[Visit<'_>]) -> Filling {
    let after_the_start: Vec<&Visit<'_>> =
        visits.iter().filter(|visit| !visit.initialises).collect();
    let mut fillers: BTreeSet<Method<'_>> = BTreeSet::new();
    for visit in &after_the_start {
        let Some(uses) = LocalUses::of(visit).filter(|_| visit.written.is_empty()) else {
            return Filling::Unknown;
        };
        if !uses.set.iter().all(|value| uses.is_asked_for(value)) {
            return Filling::Unknown;
        }
        if !uses.set.is_empty() {
            fillers.insert(visit.method);
        }
    }
    let fills =
        |visit: &&Visit<'_>| fillers.contains(&visit.method) || visit.calls_one_of(&fillers);
    let nobody_else_looks = after_the_start.iter().all(fills);
    if nobody_else_looks && !fillers.is_empty() { Filling::OnDemand } else { Filling::Unknown }
}

/// What a method does with the thread local.
struct LocalUses<'v, 'a> {
    visit: &'v Visit<'a>,
    /// What it held.
    found: Sources,
    /// What it is set to.
    set: Vec<Sources>,
}

impl<'v, 'a> LocalUses<'v, 'a> {
    /// None if it does anything else with it, such as handing it out.
    fn of(visit: &'v Visit<'a>) -> Option<LocalUses<'v, 'a>> {
        let mut uses = LocalUses { visit, found: Sources::new(), set: Vec::new() };
        for (at, step) in &visit.flow.steps {
            if !step.operands.iter().any(|operand| meet(operand, &visit.read)) {
                continue;
            }
            let Action::Uses(call) = step.action else { return None };
            let [local, arguments @ ..] = &step.operands[..] else { return None };
            if !meet(local, &visit.read) || call.class != b"java/lang/ThreadLocal" {
                return None;
            }
            match (call.name, arguments) {
                (b"get", []) => drop(uses.found.insert(Source::Step(*at))),
                (b"set", [value]) if !meet(value, &visit.read) => uses.set.push(value.clone()),
                _ => return None,
            }
        }
        Some(uses)
    }

    /// What was there is handed out only if it is for what the other one would be made of, and both go the same way.
    fn is_asked_for(&self, value: &Sources) -> bool {
        let (visit, flow) = (self.visit, &self.visit.flow);
        let origins = flow.origins(value);
        let wanted = visit.given(&origins);
        // It does not depend on what was there, nor on which object asks, and nobody hands it in.
        let is_made = visit.given(value).is_empty()
            && !meet(&origins, &self.found)
            && (visit.is_static || !origins.contains(&Source::Parameter(0)));
        let tests = || flow.steps.values().filter(|step| step.action == Action::Tests);
        let looked_at = |of: &dyn Fn(&Sources) -> bool| {
            tests().flat_map(|step| &step.operands).any(|one| {
                let origins = flow.origins(one);
                meet(&origins, &self.found) && of(&origins)
            })
        };
        let is_compared = wanted.iter().all(|given| looked_at(&|origins| origins.contains(given)));
        let returned = flow.returned();
        is_made
            && looked_at(&|_| true)
            && is_compared
            && meet(&returned, value)
            && meet(&returned, &self.found)
    }
}
