//! An attribute that is set when it is first asked for: if it is `None`, or not there, it is worked out and kept.

use surefoot_model::Filling;
use tree_sitter::Node;

use super::flow::{self, Flow};
use super::missing::{self, Tells, only_if_missing};
use super::source::{below, is_field};
use super::uses::Visit;

pub(super) fn filling(visits: &[Visit<'_>]) -> Option<Filling> {
    let mut fillers: Vec<&str> = Vec::new();
    let mut lookers: Vec<&Visit<'_>> = Vec::new();
    let (mut is_given, mut is_understood) = (false, true);
    for visit in visits {
        let Some(function) = visit.function else { continue };
        let uses: Vec<Node<'_>> =
            visit.uses.iter().copied().filter(|at| !visit.is_of_new_object(*at)).collect();
        let flow = Flow::of(function, visit.source);
        let stored = || uses.iter().filter_map(|at| value(*at)).filter(|value| !is_nothing(*value));
        is_given |= stored().any(|value| flow.is_handed_in(value));
        let thing = Thing { visit };
        let is_filled = |value| only_if_missing(value, &thing) && flow.given(value).is_empty();
        is_understood &= stored().all(is_filled);
        let is_known =
            |at: &Node<'_>| !flow::is_target(*at) || value(*at).is_some() || is_deleted(*at);
        is_understood &= uses.iter().all(is_known);
        if stored().next().is_some() {
            fillers.extend(visit.name());
        } else if !visit.asks.is_empty() || uses.iter().any(|at| !flow::is_target(*at)) {
            lookers.push(visit);
        }
    }
    let nobody_else_looks = || lookers.iter().all(|visit| visit.calls_one_of(&fillers));
    Some(if is_given {
        Filling::Given
    } else if is_understood && !fillers.is_empty() && nobody_else_looks() {
        Filling::OnDemand
    } else {
        Filling::Unknown
    })
}

/// What is put into the attribute here.
fn value(at: Node<'_>) -> Option<Node<'_>> {
    let assignment = at.parent().filter(|parent| parent.kind() == "assignment")?;
    is_field(assignment, "left", at).then(|| assignment.child_by_field_name("right")).flatten()
}

fn is_deleted(at: Node<'_>) -> bool {
    at.parent().is_some_and(|parent| parent.kind() == "delete_statement")
}

fn is_nothing(value: Node<'_>) -> bool {
    ["none", "false"].contains(&value.kind())
}

struct Thing<'v, 's> {
    visit: &'v Visit<'s>,
}

impl Tells for Thing<'_, '_> {
    fn is_missing_if(&self, condition: Node<'_>) -> Option<bool> {
        let all = || self.visit.asks.iter().chain(&self.visit.uses);
        missing::is_missing_if(condition, |node| all().any(|one| *one == node))
    }

    fn raises_if_missing(&self, statement: Node<'_>) -> bool {
        below(statement).any(|node| self.visit.uses.contains(&node) && !flow::is_target(node))
    }
}
