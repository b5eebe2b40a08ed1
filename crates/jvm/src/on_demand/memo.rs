//! A map that remembers what was worked out from its keys: `get`, and if that is null, `put`.

use std::collections::BTreeSet;

use surefoot_classfile::{Action, Flow, Source, Sources, Step, Use};
use surefoot_model::Filling;

use super::visit::{Method, Visit, meet};

pub(super) fn filling(visits: &[Visit<'_>]) -> Filling {
    let after_the_start: Vec<&Visit<'_>> =
        visits.iter().filter(|visit| !visit.initialises).collect();
    let mut fillers: BTreeSet<Method<'_>> = BTreeSet::new();
    for visit in &after_the_start {
        // Another map in its place is nothing that a memo needs.
        let Some(uses) = MapUses::of(visit).filter(|_| visit.written.is_empty()) else {
            return Filling::Unknown;
        };
        for fill in &uses.fills {
            let remembers = uses.unites(fill) && is_worked_out(fill, visit);
            if !remembers && !uses.presets(fill) {
                return Filling::Unknown;
            }
            fillers.insert(visit.method);
        }
    }
    // Who looks something up and is content with finding nothing, sees who was there before.
    let fills = |visit: &Visit<'_>| fillers.contains(&visit.method) || visit.calls_one_of(&fillers);
    let forgets = |visit: &Visit<'_>| MapUses::of(visit).is_some_and(|uses| uses.only_forgets);
    let nobody_else_looks = after_the_start.iter().all(|visit| fills(visit) || forgets(visit));
    if nobody_else_looks && !fillers.is_empty() { Filling::OnDemand } else { Filling::Unknown }
}

/// What a method does with the map.
struct MapUses<'v, 'a> {
    visit: &'v Visit<'a>,
    /// What it looked up.
    found: Sources,
    /// It asks whether a key is there.
    asks: bool,
    /// It asks whether there is anything.
    asks_for_any: bool,
    /// It makes the map empty, or takes something out: what is asked for next is worked out again.
    only_forgets: bool,
    fills: Vec<Fill>,
}

struct Fill {
    how: How,
    key: Sources,
    /// The value, or what makes it.
    value: Sources,
    /// What the call yields.
    result: Source,
    /// Where it is in the code.
    at: u16,
}

#[derive(PartialEq, Eq)]
enum How {
    Put,
    PutIfAbsent,
    ComputeIfAbsent,
}

impl<'v, 'a> MapUses<'v, 'a> {
    /// None if it does anything else with it, such as handing it out.
    fn of(visit: &'v Visit<'a>) -> Option<MapUses<'v, 'a>> {
        let (found, fills) = (Sources::new(), Vec::new());
        let (asks, asks_for_any, only_forgets) = (false, false, true);
        let mut uses = MapUses { visit, found, asks, asks_for_any, only_forgets, fills };
        let mut sizes = Sources::new();
        for (at, step) in &visit.flow.steps {
            let touches = step.operands.iter().any(|operand| meet(operand, &visit.read));
            if !touches || step.action == Action::Tests {
                continue;
            }
            let Action::Uses(call) = step.action else { return None };
            let [map, arguments @ ..] = &step.operands[..] else { return None };
            let handed_on = arguments.iter().any(|argument| meet(argument, &visit.read));
            if handed_on || !meet(map, &visit.read) || !call.class.starts_with(b"java/util/") {
                return None;
            }
            let result = Source::Step(*at);
            let fill = |how| match arguments {
                [key, value] => {
                    Some(Fill { how, key: key.clone(), value: value.clone(), result, at: *at })
                }
                _ => None,
            };
            let is_unused = || {
                visit
                    .flow
                    .steps
                    .values()
                    .all(|step| !step.operands.iter().any(|one| one.contains(&result)))
            };
            let forgets = call.name == b"clear" || call.name == b"remove" && is_unused();
            uses.only_forgets &= forgets;
            match call.name {
                _ if forgets => {}
                b"get" => drop(uses.found.insert(result)),
                b"containsKey" => uses.asks = true,
                b"put" => uses.fills.push(fill(How::Put)?),
                b"putIfAbsent" => uses.fills.push(fill(How::PutIfAbsent)?),
                b"computeIfAbsent" => uses.fills.push(fill(How::ComputeIfAbsent)?),
                // So that it does not grow for ever.
                b"size" => drop(sizes.insert(result)),
                b"isEmpty" => {
                    uses.asks_for_any = true;
                    sizes.insert(result);
                }
                _ => return None,
            }
        }
        let tells_size = visit.flow.steps.values().any(|step| {
            step.action != Action::Tests && step.operands.iter().any(|one| meet(one, &sizes))
        });
        (!tells_size).then_some(uses)
    }

    /// Whether what was put and what was there go the same way from here, and stay as they are: nobody after it can tell
    /// which it was.
    fn unites(&self, fill: &Fill) -> bool {
        let mut there = self.found.clone();
        if fill.how != How::Put {
            there.insert(fill.result);
        }
        if self.is_changed(&there) {
            return false;
        }
        let returned = self.visit.flow.returned();
        let goes_both_ways =
            |sources: &Sources| meet(sources, &fill.value) && meet(sources, &there);
        let others = self.visit.flow.steps.values().filter(|step| !self.is_of_the_map(step));
        fill.how == How::ComputeIfAbsent
            || goes_both_ways(&returned)
            || others.flat_map(|step| &step.operands).any(goes_both_ways)
            || self.asks && meet(&returned, &self.found)
            || goes_both_ways(&self.thrown())
    }

    /// What goes into exceptions: that there is none for a key can be remembered too.
    fn thrown(&self) -> Sources {
        let flow = &self.visit.flow;
        let throws = flow.steps.values().filter(|step| step.action == Action::Throws);
        throws.flat_map(|step| &step.operands).flat_map(|one| flow.origins(one)).collect()
    }

    /// Whether it is one of the entries that are always there once somebody has asked: who finds the map empty puts it in
    /// before looking anything up, and it is the same whoever that is.
    fn presets(&self, fill: &Fill) -> bool {
        let depends = |sources: &Sources| {
            let origins = self.visit.flow.origins(sources);
            let is_parameter = |source: &Source| matches!(source, Source::Parameter(_));
            origins.iter().any(is_parameter) || meet(&origins, &self.visit.read)
        };
        let first = self.found.first();
        self.asks_for_any
            && first.is_some_and(|first| Source::Step(fill.at) < *first)
            && !depends(&fill.key)
            && !depends(&fill.value)
            && !self.is_to_be_filled(&fill.value)
            && !self.is_changed(&self.found)
    }

    /// A collection that is made here.
    fn is_to_be_filled(&self, value: &Sources) -> bool {
        self.visit.calls().any(|(call, operands)| {
            let makes = call.name == b"<init>" && call.class.starts_with(b"java/util/");
            makes && operands.first().is_some_and(|of| meet(of, value))
        })
    }

    fn is_of_the_map(&self, step: &Step<'_>) -> bool {
        step.operands.first().is_some_and(|map| meet(map, &self.visit.read))
    }

    /// Something is put into what was there or has just been made: a list or a counter for each key.
    fn is_changed(&self, found: &Sources) -> bool {
        self.visit.calls().any(|(call, operands)| {
            let changes = call.class.starts_with(b"java/util/") || call.descriptor.ends_with(b")V");
            changes && operands.first().is_some_and(|of| meet(of, found))
        })
    }
}

/// From the key, and not handed in.
fn is_worked_out(fill: &Fill, visit: &Visit<'_>) -> bool {
    if fill.how == How::ComputeIfAbsent {
        return fill.value.iter().all(|source| takes_its_key(*source, visit));
    }
    if !visit.given(&fill.value).is_empty() {
        // The caller may have worked it out, if the caller is known.
        let private = visit.is_private && fill.how == How::PutIfAbsent;
        return private && callers_work_out(fill, visit);
    }
    let own = |sources: &Sources| {
        let mut origins = visit.flow.origins(sources);
        origins.retain(|source| match source {
            Source::Parameter(0) => visit.is_static,
            Source::Null | Source::Constant | Source::Caught => false,
            Source::Parameter(_) | Source::Step(_) => true,
        });
        origins
    };
    meet(&own(&fill.key), &own(&fill.value))
}

/// Whether the value is made of something wherever this method is called: what is made of nothing, such as an empty list, is
/// there to be filled.
fn callers_work_out(fill: &Fill, visit: &Visit<'_>) -> bool {
    let first = u16::from(!visit.is_static);
    let parameter = fill.value.iter().find_map(|source| match source {
        Source::Parameter(parameter) if *parameter >= first => Some(usize::from(*parameter)),
        _ => None,
    });
    let made = parameter.and_then(|parameter| made_of_something(visit, parameter));
    made.is_some_and(|made| !made.is_empty() && made.iter().all(|of_something| *of_something))
}

/// For each call of the method in its class, whether something was used to make this operand; none if code is not understood.
fn made_of_something(visit: &Visit<'_>, operand: usize) -> Option<Vec<bool>> {
    let class = visit.class;
    let is_it = |one: &Use<'_>| [one.class, one.name, one.descriptor] == visit.method;
    let mut made = Vec::new();
    for (index, _) in class.methods() {
        if !class.uses(index).ok()?.iter().any(is_it) {
            continue;
        }
        let flow = class.flow(index).ok()?;
        let is_something = |source: &Source| match source {
            Source::Parameter(_) => true,
            Source::Step(at) => flow.steps.get(at).is_some_and(|step| step.action != Action::Makes),
            Source::Null | Source::Constant | Source::Caught => false,
        };
        for step in flow.steps.values() {
            if matches!(&step.action, Action::Uses(one) if is_it(one)) {
                let origins = flow.origins(step.operands.get(operand)?);
                made.push(origins.iter().any(is_something));
            }
        }
    }
    Some(made)
}

/// A lambda that makes its value of the key.
fn takes_its_key(source: Source, visit: &Visit<'_>) -> bool {
    let Source::Step(at) = source else { return false };
    let Some(Action::Links(Some([class, name, descriptor]))) =
        visit.flow.steps.get(&at).map(|step| step.action)
    else {
        return false;
    };
    if !name.starts_with(b"lambda$") || class != visit.class.name() {
        // `Pattern::compile` takes what it is given; a constructor that takes nothing could not be named here.
        return !class.starts_with(b"java/util/") || name != b"<init>";
    }
    let is_it =
        |one: &surefoot_classfile::Method<'_>| one.name() == name && one.descriptor() == descriptor;
    let Some((index, _)) = visit.class.methods().find(|(_, one)| is_it(one)) else { return false };
    let Ok(flow) = visit.class.flow(index) else { return false };
    let key = flow.parameters.checked_sub(1).map(Source::Parameter);
    key.is_some_and(|key| flow.origins(&flow.returned()).contains(&key)) || fills_its_value(&flow)
}

/// A lambda that makes a collection and puts into it itself what it is asked for, or what there is under some condition on that.
/// One that is made empty, or with the same for each key, is there for others to fill.
fn fills_its_value(flow: &Flow<'_>) -> bool {
    let made = flow.returned();
    let is_asked_for = |one: &Sources| {
        let origins = flow.origins(one);
        origins.iter().any(|source| matches!(source, Source::Parameter(_)))
    };
    let has_condition = flow
        .steps
        .values()
        .any(|step| step.action == Action::Tests && step.operands.iter().any(is_asked_for));
    flow.steps.values().any(|step| match (&step.action, &step.operands[..]) {
        (Action::Uses(call), [of, what @ ..]) => {
            let puts = call.name != b"<init>" && call.class.starts_with(b"java/util/");
            puts && meet(of, &made) && (has_condition || what.iter().any(is_asked_for))
        }
        _ => false,
    })
}
