//! Code that runs only where something was missing.

use tree_sitter::Node;

use super::source::{around, bare, is_field, named};

/// What a condition or a try tells of whether the thing is there.
pub(super) trait Tells {
    /// Whether the thing is missing where this is true; none if that says nothing.
    fn is_missing_if(&self, condition: Node<'_>) -> Option<bool>;
    /// Whether this raises something where the thing is missing.
    fn raises_if_missing(&self, statement: Node<'_>) -> bool;
}

/// Nobody wrote a longer condition by hand, and its parts lie one in the other.
const LONGEST: usize = 5_000;

/// What is known of the thing where a condition is true, and where it is false: whether it is missing.
#[derive(Debug, Clone, Copy, Default)]
struct Known {
    if_true: Option<bool>,
    if_false: Option<bool>,
}

fn known(condition: Node<'_>, tells: &impl Tells) -> Known {
    let condition = bare(condition);
    if condition.byte_range().len() > LONGEST {
        return Known::default();
    }
    let part = |name| condition.child_by_field_name(name).map(|part| known(part, tells));
    match condition.kind() {
        "not_operator" => {
            let inner = part("argument").unwrap_or_default();
            Known { if_true: inner.if_false, if_false: inner.if_true }
        }
        "boolean_operator" => {
            let (left, right) =
                (part("left").unwrap_or_default(), part("right").unwrap_or_default());
            let is_and =
                condition.child_by_field_name("operator").is_some_and(|and| and.kind() == "and");
            match is_and {
                true => Known { if_true: left.if_true.or(right.if_true), if_false: None },
                false => Known { if_true: None, if_false: left.if_false.or(right.if_false) },
            }
        }
        _ => {
            let missing = tells.is_missing_if(condition);
            Known { if_true: missing, if_false: missing.map(|missing| !missing) }
        }
    }
}

fn condition(node: Node<'_>, tells: &impl Tells) -> Known {
    node.child_by_field_name("condition").map(|one| known(one, tells)).unwrap_or_default()
}

/// Whether this is reached only where the thing is missing.
pub(super) fn only_if_missing(node: Node<'_>, tells: &impl Tells) -> bool {
    let mut inner = node;
    for outer in around(node) {
        let found = match outer.kind() {
            "if_statement" | "elif_clause" if is_field(outer, "consequence", inner) => {
                condition(outer, tells).if_true == Some(true) || after_others(outer, tells)
            }
            "else_clause" => after_others(outer, tells),
            "try_statement" if inner.kind() == "except_clause" => {
                let body = outer.child_by_field_name("body");
                body.is_some_and(|body| tells.raises_if_missing(body))
            }
            "block" | "module" => {
                let earlier = named(outer).take_while(|one| *one != inner);
                earlier.into_iter().any(|one| leaves_if_there(one, tells))
            }
            "function_definition" => return false,
            _ => false,
        };
        if found {
            return true;
        }
        inner = outer;
    }
    false
}

/// An `elif` or `else` of an `if` that takes those for whom the thing is there.
fn after_others(clause: Node<'_>, tells: &impl Tells) -> bool {
    let Some(first) = clause.parent().filter(|parent| parent.kind() == "if_statement") else {
        return false;
    };
    let before = named(first).take_while(|one| *one != clause);
    let mut before = before.filter(|one| one.kind() == "elif_clause").chain([first]);
    before.any(|one| condition(one, tells).if_false == Some(true))
}

/// Whether nobody for whom the thing is there comes to what is behind this statement.
fn leaves_if_there(statement: Node<'_>, tells: &impl Tells) -> bool {
    let body = |name| statement.child_by_field_name(name);
    match statement.kind() {
        "if_statement" => {
            condition(statement, tells).if_false == Some(true)
                && body("consequence").is_some_and(leaves)
        }
        "with_statement" => body("body").is_some_and(|body| {
            let mut all = named(body);
            all.any(|one| leaves_if_there(one, tells))
        }),
        "try_statement" => {
            body("body").is_some_and(|body| leaves(body) && tells.raises_if_missing(body))
        }
        _ => false,
    }
}

fn leaves(block: Node<'_>) -> bool {
    let last = named(block).filter(|one| one.kind() != "comment").last();
    last.is_some_and(|last| ["return_statement", "continue_statement"].contains(&last.kind()))
}

/// Whether this is reached only where the thing is there.
pub(super) fn only_if_there(node: Node<'_>, tells: &impl Tells) -> bool {
    only_if_missing(node, &Opposite(tells))
}

struct Opposite<'t, T>(&'t T);

impl<T: Tells> Tells for Opposite<'_, T> {
    fn is_missing_if(&self, condition: Node<'_>) -> Option<bool> {
        self.0.is_missing_if(condition).map(|missing| !missing)
    }

    fn raises_if_missing(&self, _: Node<'_>) -> bool {
        false
    }
}

/// Of `thing is None`, `thing`, `thing is not None`: whether it is missing where that is true.
pub(super) fn is_missing_if(
    condition: Node<'_>,
    is_thing: impl Fn(Node<'_>) -> bool,
) -> Option<bool> {
    if is_thing(condition) {
        return Some(false);
    }
    if condition.kind() != "comparison_operator" || condition.named_child_count() != 2 {
        return None;
    }
    let thing = condition.named_child(0).map(bare)?;
    // `(thing := look()) is None`
    let thing = thing
        .child_by_field_name("name")
        .filter(|_| thing.kind() == "named_expression")
        .unwrap_or(thing);
    if !is_thing(thing) {
        return None;
    }
    match operator(condition)? {
        "is" | "==" => Some(true),
        "is not" | "!=" => Some(false),
        _ => None,
    }
}

/// The operator between two operands.
pub(super) fn operator<'t>(comparison: Node<'t>) -> Option<&'t str> {
    Some(comparison.child_by_field_name("operators")?.kind())
}
