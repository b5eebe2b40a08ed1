//! A method that uses a field.

use std::collections::BTreeSet;

use surefoot_classfile::{Action, ClassFile, Flow, How, Source, Sources, Step, Use};

use super::Field;
use crate::program::is_accessor;

pub(super) struct Visit<'a> {
    pub(super) class: &'a ClassFile<'a>,
    pub(super) method: Method<'a>,
    pub(super) is_private: bool,
    pub(super) is_static: bool,
    /// It makes the class or the object that the field is in: nobody has seen that yet.
    pub(super) initialises: bool,
    pub(super) flow: Flow<'a>,
    /// What was read from the field.
    pub(super) read: Sources,
    /// What is put into the field.
    pub(super) written: Vec<Sources>,
}

/// Class, name and descriptor.
pub(super) type Method<'a> = [&'a [u8]; 3];

const PRIVATE: u16 = 0x0002;

/// The methods that javac made for nested classes to read a private field with; none if code is not understood.
pub(super) fn accessors(class: &ClassFile<'_>, field: &Field) -> Option<Vec<Vec<u8>>> {
    let is_it =
        |one: &Use<'_>| one.how != How::Calls && one.class == field.class && one.name == field.name;
    let visits = visits(class, field, &is_it)?;
    let reads_alone = |visit: &&Visit<'_>| {
        is_accessor(visit.method[1])
            && visit.written.is_empty()
            && visit.flow.returned().is_subset(&visit.read)
    };
    Some(visits.iter().filter(reads_alone).map(|visit| visit.method[1].to_vec()).collect())
}

/// Those of a class; none if its code is not understood.
pub(super) fn visits<'a>(
    class: &'a ClassFile<'a>,
    field: &Field,
    is_it: &dyn Fn(&Use<'_>) -> bool,
) -> Option<Vec<Visit<'a>>> {
    let mut visits = Vec::new();
    for (index, method) in class.methods() {
        if !class.uses(index).ok()?.iter().any(is_it) {
            continue;
        }
        let flow = class.flow(index).ok()?;
        let (mut read, mut written) = (Sources::new(), Vec::new());
        for (at, step) in &flow.steps {
            let Action::Uses(one) = &step.action else { continue };
            match one.how {
                How::Reads | How::ReadsStatic | How::Calls if is_it(one) => {
                    read.insert(Source::Step(*at));
                }
                How::Writes | How::WritesStatic if is_it(one) => {
                    written.extend(step.operands.last().cloned());
                }
                _ => {}
            }
        }
        let initialiser: &[u8] = if field.is_static { b"<clinit>" } else { b"<init>" };
        let flags = method.access_flags();
        visits.push(Visit {
            class,
            method: [class.name(), method.name(), method.descriptor()],
            is_private: flags.bits() & PRIVATE != 0,
            is_static: flags.is_static(),
            initialises: method.name() == initialiser && class.name() == field.class,
            flow,
            read,
            written,
        });
    }
    Some(visits)
}

impl<'a> Visit<'a> {
    /// What comes from whoever calls: parameters, but not the object itself.
    pub(super) fn given(&self, sources: &Sources) -> Sources {
        let first = u16::from(!self.is_static);
        let is_given = |source: &&Source| matches!(source, Source::Parameter(p) if *p >= first);
        sources.iter().filter(is_given).copied().collect()
    }

    pub(super) fn calls_one_of(&self, methods: &BTreeSet<Method<'a>>) -> bool {
        self.calls().any(|(call, _)| methods.contains(&[call.class, call.name, call.descriptor]))
    }

    /// What is called, and what with: the object before the arguments.
    pub(super) fn calls(&self) -> impl Iterator<Item = (Use<'a>, &[Sources])> {
        self.flow.steps.values().filter_map(|step| match &step.action {
            Action::Uses(one) if one.how == How::Calls => Some((*one, &step.operands[..])),
            _ => None,
        })
    }

    /// Whether it depends on one of these how the code goes on.
    pub(super) fn tests(&self, sources: &Sources) -> bool {
        let of_these = |step: &&Step<'_>| step.operands.iter().any(|one| meet(one, sources));
        self.flow.steps.values().filter(of_these).any(|step| step.action == Action::Tests)
    }
}

pub(super) fn meet(one: &Sources, other: &Sources) -> bool {
    !one.is_disjoint(other)
}
