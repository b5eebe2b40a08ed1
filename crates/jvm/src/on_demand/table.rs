//! An array that remembers what was worked out: one method looks there, works out what it does not find, and puts it there.
//!
//! Which element is for what is not understood here. So only that method may use the array at all, and all that it returns must
//! either come out of an element, or go into one and be made of what it was asked for.

use surefoot_classfile::{Action, How, Source, Sources, Step};
use surefoot_model::Filling;

use super::Field;
use super::visit::{Visit, meet};

pub(super) fn filling(field: &Field, visits: &[Visit<'_>]) -> Filling {
    let mut after_the_start = visits.iter().filter(|visit| !visit.initialises);
    match (after_the_start.next(), after_the_start.next()) {
        (Some(only), None) if Table::of(field, only).remembers() => Filling::OnDemand,
        _ => Filling::Unknown,
    }
}

struct Table<'v, 'a> {
    field: &'v Field,
    visit: &'v Visit<'a>,
    /// The array, copies of it, and arrays that take its place.
    arrays: Sources,
    /// Elements of them.
    found: Sources,
}

impl<'v, 'a> Table<'v, 'a> {
    fn of(field: &'v Field, visit: &'v Visit<'a>) -> Table<'v, 'a> {
        let mut arrays = visit.read.clone();
        arrays.extend(visit.written.iter().flatten());
        loop {
            let is_copy = |step: &Step<'_>| {
                copies(step) && step.operands.first().is_some_and(|of| meet(of, &arrays))
            };
            let steps = visit.flow.steps.iter().filter(|(_, step)| is_copy(step));
            let more: Sources = steps.map(|(at, _)| Source::Step(*at)).collect();
            if more.is_subset(&arrays) {
                break;
            }
            arrays.extend(more);
        }
        let is_element = |step: &Step<'_>| {
            step.action == Action::Computes && step.operands.iter().any(|one| meet(one, &arrays))
        };
        let elements = visit.flow.steps.iter().filter(|(_, step)| is_element(step));
        let found = elements.map(|(at, _)| Source::Step(*at)).collect();
        Table { field, visit, arrays, found }
    }

    fn remembers(&self) -> bool {
        let flow = &self.visit.flow;
        let is_ours = |written: &Sources| written.is_subset(&self.arrays) && self.is_made(written);
        if !self.visit.written.iter().all(is_ours) || self.is_used_otherwise() {
            return false;
        }
        let (mut finds, mut makes) = (false, false);
        let worked_out = flow.origins(&self.put());
        for source in flow.returned() {
            if meet(&flow.origins(&Sources::from([source])), &self.found) {
                finds = true;
            } else if worked_out.contains(&source) && self.is_what_was_asked(source) {
                makes = true;
            } else {
                return false;
            }
        }
        finds && makes
    }

    /// New, a copy, or what was there; not handed in.
    fn is_made(&self, array: &Sources) -> bool {
        array.iter().all(|source| match source {
            Source::Step(at) => {
                let step = self.visit.flow.steps.get(at);
                self.visit.read.contains(source)
                    || step.is_some_and(|step| step.action == Action::Makes || copies(step))
            }
            _ => false,
        })
    }

    /// What becomes an element and was none.
    fn put(&self) -> Sources {
        let puts = self.visit.flow.steps.values().filter(|step| step.action == Action::Puts);
        let values = puts.filter_map(|step| match &step.operands[..] {
            [array, value] if meet(array, &self.arrays) => Some(value),
            _ => None,
        });
        values.flatten().filter(|source| !self.found.contains(source)).copied().collect()
    }

    /// Made of what the method is given, for which an element was looked for too.
    fn is_what_was_asked(&self, source: Source) -> bool {
        let flow = &self.visit.flow;
        let asked = self.visit.given(&flow.origins(&Sources::from([source])));
        let tests = flow.steps.values().filter(|step| step.action == Action::Tests);
        let mut looked_for = flow.origins(&self.found);
        for origins in tests.flat_map(|step| &step.operands).map(|one| flow.origins(one)) {
            if meet(&origins, &self.found) {
                looked_for.extend(origins);
            }
        }
        matches!(source, Source::Step(_)) && !asked.is_empty() && asked.is_subset(&looked_for)
    }

    /// `System.arraycopy` from one of the arrays to another.
    fn moves(&self, step: &Step<'_>) -> bool {
        let is_ours =
            |at: usize| step.operands.get(at).is_some_and(|one| one.is_subset(&self.arrays));
        matches!(&step.action, Action::Uses(one) if one.name == b"arraycopy")
            && is_ours(0)
            && is_ours(2)
    }

    /// The array goes somewhere else, or an element is changed.
    fn is_used_otherwise(&self) -> bool {
        self.visit.flow.steps.values().any(|step| {
            let about = |of: &Sources| step.operands.iter().any(|one| meet(one, of));
            let on = |of: &Sources| step.operands.first().is_some_and(|one| meet(one, of));
            match &step.action {
                Action::Computes | Action::Measures | Action::Tests => false,
                Action::Puts => {
                    on(&self.found)
                        || step.operands.iter().skip(1).any(|one| meet(one, &self.arrays))
                }
                Action::Uses(one) => match one.how {
                    How::Reads | How::ReadsStatic => false,
                    How::Writes | How::WritesStatic => {
                        let elsewhere = one.name != self.field.name;
                        about(&self.arrays) && elsewhere
                            || one.how == How::Writes && on(&self.found)
                    }
                    How::Calls => {
                        let changes =
                            one.descriptor.ends_with(b")V") || one.class.starts_with(b"java/util/");
                        about(&self.arrays) && !copies(step) && !self.moves(step)
                            || changes && on(&self.found)
                    }
                },
                Action::Makes | Action::Links(_) | Action::Returns | Action::Throws => {
                    about(&self.arrays)
                }
            }
        })
    }
}

/// `clone`, `Arrays.copyOf`.
fn copies(step: &Step<'_>) -> bool {
    matches!(&step.action, Action::Uses(one)
        if one.how == How::Calls && (one.name == b"clone" || one.name.starts_with(b"copyOf")))
}
