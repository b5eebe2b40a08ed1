//! Where code uses an attribute, and what it does with it.

use tree_sitter::Node;

use super::Attribute;
use super::flow;
use super::program::{Program, words};
use super::source::{Source, around, bare, below, class_of, function_of, is_field};

/// What one function does with the attribute, or what is outside of all functions.
pub(super) struct Visit<'s> {
    pub(super) source: &'s Source,
    /// None at the level of a module or a class: what happens there has happened before any test.
    pub(super) function: Option<Node<'s>>,
    /// Where the attribute stands, under its own name or another one.
    pub(super) uses: Vec<Node<'s>>,
    /// `hasattr(shop, "total")`
    pub(super) asks: Vec<Node<'s>>,
}

impl<'s> Visit<'s> {
    pub(super) fn name(&self) -> Option<&'s str> {
        let name = self.function?.child_by_field_name("name")?;
        Some(self.source.text(name))
    }

    /// What it does happens before anybody else has the object, or before any test.
    pub(super) fn initialises(&self) -> bool {
        let is_maker = |name| matches!(name, "__init__" | "__new__" | "__post_init__");
        self.function.is_none() || self.name().is_some_and(is_maker)
    }

    /// Whether this is about an object that is being made.
    pub(super) fn is_of_new_object(&self, at: Node<'_>) -> bool {
        let object = at.child_by_field_name("object");
        let is_own = object.is_some_and(|object| self.source.is(object, "self"));
        self.initialises() && (self.function.is_none() || is_own)
    }

    /// Whether it calls a function of one of these names.
    pub(super) fn calls_one_of(&self, names: &[&str]) -> bool {
        let Some(function) = self.function else { return false };
        let mut calls = below(function).filter(|node| node.kind() == "call");
        calls.any(|call| {
            let called = call.child_by_field_name("function").map(bare);
            let name = called.and_then(|called| match called.kind() {
                "attribute" => called.child_by_field_name("attribute"),
                _ => Some(called),
            });
            name.is_some_and(|name| names.contains(&self.source.text(name)))
        })
    }
}

enum Sight<'s> {
    Use(Node<'s>),
    Asks(Node<'s>),
    /// Something else of that name.
    Other,
}

/// What the functions of a file do with an attribute; none if that is not understood.
pub(super) fn visits<'s>(
    source: &'s Source,
    attribute: &Attribute<'_>,
    program: &Program,
) -> Option<Vec<Visit<'s>>> {
    let mut visits: Vec<Visit<'s>> = Vec::new();
    let has_its_globals = shares_globals(source, attribute)?;
    for node in below(source.root()) {
        let sight = match node.kind() {
            "identifier" if source.is(node, attribute.name) => {
                seen(node, source, attribute, program, has_its_globals)?
            }
            "string" => named_in(node, source, attribute)?,
            _ => Sight::Other,
        };
        let at = match sight {
            Sight::Use(at) | Sight::Asks(at) => at,
            Sight::Other => continue,
        };
        let function = function_of(at);
        // Code that runs later, from nobody knows where.
        if function.is_none() && around(at).any(|node| node.kind() == "lambda") {
            return None;
        }
        let known = visits.iter().position(|visit| visit.function == function);
        let known = known.unwrap_or_else(|| {
            visits.push(Visit { source, function, uses: Vec::new(), asks: Vec::new() });
            visits.len() - 1
        });
        match sight {
            Sight::Asks(_) => visits[known].asks.push(at),
            _ => visits[known].uses.push(at),
        }
    }
    for visit in &mut visits {
        follow(visit)?;
    }
    Some(visits)
}

/// Whether a plain name in this file can be the attribute of the module: it is the file of that module, or imports the name.
/// None if it is imported under another one.
fn shares_globals(source: &Source, attribute: &Attribute<'_>) -> Option<bool> {
    let mut shares = source.is_module(attribute.owner);
    for node in below(source.root()).filter(|node| node.kind() == "import_from_statement") {
        for part in below(node).skip(1) {
            match part.kind() {
                "wildcard_import" => shares = true,
                "aliased_import" => {
                    let name = part.child_by_field_name("name")?;
                    if source.is(name, attribute.name) {
                        return None;
                    }
                }
                "dotted_name" if source.is(part, attribute.name) => shares = true,
                _ => {}
            }
        }
    }
    Some(shares)
}

fn seen<'s>(
    node: Node<'s>,
    source: &'s Source,
    attribute: &Attribute<'_>,
    program: &Program,
    has_its_globals: bool,
) -> Option<Sight<'s>> {
    let parent = node.parent()?;
    match parent.kind() {
        "attribute" if is_field(parent, "attribute", node) => {
            let object = parent.child_by_field_name("object")?;
            let own = ["self", "cls"].contains(&source.text(object));
            let class = class_of(parent).filter(|_| own);
            let is_of_another =
                class.is_some_and(|class| !may_be(class, source, attribute, program));
            Some(if is_of_another { Sight::Other } else { Sight::Use(parent) })
        }
        "keyword_argument" if is_field(parent, "name", node) => Some(Sight::Other),
        "parameters" | "lambda_parameters" | "typed_parameter" | "dotted_name"
        | "global_statement" | "nonlocal_statement" => Some(Sight::Other),
        "default_parameter" | "typed_default_parameter" if is_field(parent, "name", node) => {
            Some(Sight::Other)
        }
        // A method or a class that is called so.
        "function_definition" | "class_definition" if is_field(parent, "name", node) => None,
        _ => Some(match is_it(node, source, attribute, program, has_its_globals) {
            true => Sight::Use(node),
            false => Sight::Other,
        }),
    }
}

/// Whether a plain name is the attribute of the module or of the class that it stands in.
fn is_it(
    node: Node<'_>,
    source: &Source,
    attribute: &Attribute<'_>,
    program: &Program,
    has_its_globals: bool,
) -> bool {
    let function = function_of(node);
    match (function, class_of(node)) {
        (None, Some(class)) => may_be(class, source, attribute, program) || has_its_globals,
        _ => has_its_globals && !flow::is_local(node, source, attribute.name),
    }
}

fn may_be(class: Node<'_>, source: &Source, attribute: &Attribute<'_>, program: &Program) -> bool {
    let owner = attribute.owner.rsplit('.').next().unwrap_or_default();
    let name = class.child_by_field_name("name").map(|name| source.text(name));
    name.is_some_and(|name| program.are_related(name, owner))
}

/// The name as a text: something may use it to get at the attribute.
fn named_in<'s>(
    string: Node<'s>,
    source: &'s Source,
    attribute: &Attribute<'_>,
) -> Option<Sight<'s>> {
    let text = source.text(string);
    // A test, maybe.
    if text.contains(">>>") && words(text).any(|word| word == attribute.name) {
        return None;
    }
    let content = text.trim_start_matches(['r', 'b', 'u', 'f', 'R', 'B', 'U', 'F']);
    if content.trim_matches(['"', '\'']) != attribute.name {
        return Some(Sight::Other);
    }
    let parent = string.parent()?;
    match parent.kind() {
        "argument_list" => {
            let call = parent.parent()?;
            let called = call.child_by_field_name("function")?;
            match source.text(called) {
                "hasattr" => Some(Sight::Asks(call)),
                "getattr" => Some(Sight::Use(call)),
                _ => None,
            }
        }
        "subscript" => None,
        _ => Some(Sight::Other),
    }
}

/// A local variable that has the attribute in it is the attribute by another name.
fn follow(visit: &mut Visit<'_>) -> Option<()> {
    let Some(function) = visit.function else { return Some(()) };
    let (source, mut followed) = (visit.source, Vec::new());
    visit.uses.retain(|at| match flow::assigned_to(*at, source) {
        Some(local) => {
            followed.push(local);
            false
        }
        None => true,
    });
    for local in followed {
        let name = source.text(local);
        let all = || {
            let all = below(function).filter(|node| node.kind() == "identifier");
            all.filter(|node| source.is(*node, name) && flow::is_variable(*node))
        };
        // With something else in it as well, nobody knows which it is.
        if all().any(|node| node != local && flow::is_target(node)) {
            return None;
        }
        visit.uses.extend(all().filter(|node| *node != local));
    }
    Some(())
}
