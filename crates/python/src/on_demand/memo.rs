//! A dict that remembers what was worked out from its keys: looked up, and if there is nothing, worked out and put in.

use surefoot_model::Filling;
use tree_sitter::Node;

use super::flow::{self, Flow};
use super::missing::{self, Tells, only_if_missing, only_if_there, operator};
use super::source::{Source, below, is_field};
use super::uses::Visit;

pub(super) fn filling(visits: &[Visit<'_>]) -> Option<Filling> {
    let mut fillers: Vec<&str> = Vec::new();
    let mut lookers: Vec<&Visit<'_>> = Vec::new();
    for visit in visits {
        let Some(uses) = DictUses::of(visit) else { return Some(Filling::Unknown) };
        let Some(function) = visit.function else { continue };
        if uses.fills.is_empty() {
            if !uses.looks.is_empty() || !uses.asks.is_empty() {
                lookers.push(visit);
            }
        } else if uses.remembers(function) {
            fillers.extend(visit.name());
        } else {
            return Some(Filling::Unknown);
        }
    }
    // Who looks something up and is content with finding nothing, sees who was there before.
    let nobody_else_looks = lookers.iter().all(|visit| visit.calls_one_of(&fillers));
    let fills_on_demand = !fillers.is_empty() && nobody_else_looks;
    Some(if fills_on_demand { Filling::OnDemand } else { Filling::Unknown })
}

/// What a function does with the dict.
struct DictUses<'v, 's> {
    visit: &'v Visit<'s>,
    /// `dict[key]`, `dict.get(key)`
    looks: Vec<Look<'s>>,
    /// `key in dict`
    asks: Vec<Look<'s>>,
    fills: Vec<Fill<'s>>,
}

struct Look<'s> {
    key: Node<'s>,
    at: Node<'s>,
}

struct Fill<'s> {
    key: Node<'s>,
    value: Node<'s>,
    at: Node<'s>,
    /// `setdefault` leaves what is there.
    only_if_missing: bool,
}

impl<'v, 's> DictUses<'v, 's> {
    /// None if it does anything else with it, such as handing it out.
    fn of(visit: &'v Visit<'s>) -> Option<DictUses<'v, 's>> {
        let (looks, asks, fills) = (Vec::new(), Vec::new(), Vec::new());
        let mut uses = DictUses { visit, looks, asks, fills };
        if !visit.asks.is_empty() {
            return None;
        }
        visit.uses.iter().all(|at| uses.add(*at).is_some()).then_some(uses)
    }

    fn add(&mut self, at: Node<'s>) -> Option<()> {
        let parent = at.parent()?;
        let source = self.visit.source;
        match parent.kind() {
            "subscript" if is_field(parent, "value", at) => self.add_subscript(parent),
            "comparison_operator" => {
                let key = parent.named_child(0).filter(|key| *key != at)?;
                let asks = parent.named_child_count() == 2 && operator(parent)?.ends_with("in");
                asks.then(|| self.asks.push(Look { key, at: parent }))
            }
            "attribute" => {
                self.add_call(source.text(parent.child_by_field_name("attribute")?), parent)
            }
            // So that it does not grow for ever.
            "argument_list" => {
                let call = parent.parent()?;
                let called = call.child_by_field_name("function")?;
                let is_compared = call.parent()?.kind() == "comparison_operator";
                (source.is(called, "len") && is_compared).then_some(())
            }
            "assignment" if is_field(parent, "left", at) => {
                let Some(value) = parent.child_by_field_name("right") else { return Some(()) };
                let is_new = flow::is_empty(value, source)
                    || self.visit.initialises() && is_made_here(value, source);
                is_new.then_some(())
            }
            _ => None,
        }
    }

    fn add_subscript(&mut self, subscript: Node<'s>) -> Option<()> {
        let key = subscript.child_by_field_name("subscript")?;
        let outer = subscript.parent()?;
        match outer.kind() {
            "assignment" if is_field(outer, "left", subscript) => {
                let value = outer.child_by_field_name("right")?;
                self.fills.push(Fill { key, value, at: outer, only_if_missing: false });
            }
            "delete_statement" => {}
            _ if flow::is_target(subscript) => return None,
            _ => self.looks.push(Look { key, at: subscript }),
        }
        Some(())
    }

    fn add_call(&mut self, method: &str, attribute: Node<'s>) -> Option<()> {
        let call = attribute.parent().filter(|call| is_field(*call, "function", attribute))?;
        let arguments = call.child_by_field_name("arguments")?;
        match method {
            "get" => self.looks.push(Look { key: arguments.named_child(0)?, at: call }),
            "setdefault" => {
                let (key, value) = (arguments.named_child(0)?, arguments.named_child(1)?);
                self.looks.push(Look { key, at: call });
                self.fills.push(Fill { key, value, at: call, only_if_missing: true });
            }
            // Whatever is asked for next is worked out again.
            "clear" => {}
            "pop" | "popitem" => {
                return (call.parent()?.kind() == "expression_statement").then_some(());
            }
            _ => return None,
        }
        Some(())
    }

    /// Whether all that the function puts in was worked out from the key, because there was nothing, and nobody after it can tell that.
    fn remembers(&self, function: Node<'s>) -> bool {
        let source = self.visit.source;
        let flow = Flow::of(function, source);
        let looks = || self.looks.iter().chain(&self.asks);
        let looks_for_these =
            looks().all(|look| self.fills.iter().any(|fill| source.are_alike(look.key, fill.key)));
        looks_for_these && self.fills.iter().all(|fill| self.is_memo(fill, function, &flow))
    }

    fn is_memo(&self, fill: &Fill<'s>, function: Node<'s>, flow: &Flow<'s>) -> bool {
        let entry = Entry::of(fill, self);
        let was_missing = fill.only_if_missing || only_if_missing(fill.at, &entry);
        was_missing
            && is_worked_out(fill, flow)
            // An empty list, say, that others put something into.
            && !flow.is_empty(fill.value)
            && !self.is_changed(fill, function, &entry)
            && !tells_apart(function, &entry)
    }

    /// Something is put into what was there.
    fn is_changed(&self, fill: &Fill<'s>, function: Node<'s>, entry: &Entry<'_, 's>) -> bool {
        let source = self.visit.source;
        let kept = fill.value.kind() == "identifier";
        let is_it = |node: Node<'_>| {
            self.looks.iter().any(|look| look.at == node)
                || entry.is_found(node)
                || kept && source.are_alike(node, fill.value)
        };
        below(function).any(|node| {
            let object = match node.kind() {
                "call" => flow::changed(node, source),
                "subscript" if flow::is_target(node) => node.child_by_field_name("value"),
                "attribute" if flow::is_target(node) => node.child_by_field_name("object"),
                _ => None,
            };
            object.is_some_and(is_it) && !only_if_missing(node, entry)
        })
    }
}

/// A container that holds nothing of anybody else's.
fn is_made_here(value: Node<'_>, source: &Source) -> bool {
    let is_field = || {
        let called = value.child_by_field_name("function").map(|called| source.text(called));
        called.is_some_and(|called| {
            ["field", "attr.ib", "attrs.field", "dataclasses.field"].contains(&called)
        })
    };
    flow::is_empty(value, source)
        || value.kind() == "dictionary"
        || value.kind() == "call" && is_field()
}

/// From the key, and from nothing else that this caller has and another one may not have.
fn is_worked_out(fill: &Fill<'_>, flow: &Flow<'_>) -> bool {
    let (key, value) = (flow.origins(fill.key), flow.origins(fill.value));
    !flow.is_handed_in(fill.value)
        && key.intersection(&value).next().is_some()
        && flow.given(fill.value).is_subset(&flow.given(fill.key))
}

/// It returns something else, or raises something, depending on whether there was something.
fn tells_apart(function: Node<'_>, entry: &Entry<'_, '_>) -> bool {
    let is_constant =
        |value: Node<'_>| ["true", "false", "integer", "string"].contains(&value.kind());
    below(function).any(|node| match node.kind() {
        "return_statement" => node.named_child(0).is_some_and(is_constant),
        "raise_statement" => only_if_there(node, entry),
        _ => false,
    })
}

/// What the dict has for a key.
struct Entry<'v, 's> {
    source: &'s Source,
    looks: Vec<&'v Look<'s>>,
    asks: Vec<&'v Look<'s>>,
    /// Variables that have it.
    found: Vec<&'s str>,
}

impl<'v, 's> Entry<'v, 's> {
    fn of(fill: &Fill<'s>, uses: &'v DictUses<'_, 's>) -> Entry<'v, 's> {
        let source = uses.visit.source;
        let of_key = |all: &'v [Look<'s>]| -> Vec<&'v Look<'s>> {
            all.iter().filter(|look| source.are_alike(look.key, fill.key)).collect()
        };
        let looks = of_key(&uses.looks);
        let found = looks.iter().filter_map(|look| {
            let walrus = look.at.parent().filter(|parent| parent.kind() == "named_expression");
            let named = walrus.and_then(|walrus| walrus.child_by_field_name("name"));
            flow::assigned_to(look.at, source).or(named).map(|name| source.text(name))
        });
        let found = found.collect();
        Entry { source, looks, asks: of_key(&uses.asks), found }
    }

    fn is_found(&self, node: Node<'_>) -> bool {
        node.kind() == "identifier" && self.found.contains(&self.source.text(node))
    }
}

impl Tells for Entry<'_, '_> {
    fn is_missing_if(&self, condition: Node<'_>) -> Option<bool> {
        if self.asks.iter().any(|ask| ask.at == condition) {
            return Some(operator(condition) == Some("not in"));
        }
        missing::is_missing_if(condition, |node| self.is_found(node))
    }

    fn raises_if_missing(&self, statement: Node<'_>) -> bool {
        let mut subscripts = below(statement).filter(|node| node.kind() == "subscript");
        subscripts.any(|node| self.looks.iter().any(|look| look.at == node))
    }
}
