//! What comes from where within a function, as far as names tell.

use std::collections::{BTreeMap, BTreeSet};

use tree_sitter::Node;

use super::source::{Source, around, bare, below, function_of, is_field, named};

/// Methods that change what they are called on.
const CHANGING: &[&str] = &[
    "add",
    "append",
    "appendleft",
    "clear",
    "discard",
    "extend",
    "insert",
    "pop",
    "popitem",
    "popleft",
    "remove",
    "setdefault",
    "sort",
    "update",
];

/// Whether it stands for a variable, and not for an attribute or the name of an argument.
pub(super) fn is_variable(node: Node<'_>) -> bool {
    node.parent().is_none_or(|parent| match parent.kind() {
        "attribute" => is_field(parent, "object", node),
        "keyword_argument" => is_field(parent, "value", node),
        _ => true,
    })
}

/// Whether something is put into the variable here.
pub(super) fn is_target(node: Node<'_>) -> bool {
    let mut inner = node;
    for outer in around(node) {
        match outer.kind() {
            "pattern_list" | "tuple_pattern" | "list_pattern" | "list_splat_pattern"
            | "as_pattern_target" => inner = outer,
            "assignment" | "augmented_assignment" | "for_statement" | "for_in_clause" => {
                return is_field(outer, "left", inner);
            }
            "named_expression" => return is_field(outer, "name", inner),
            "as_pattern" => return is_field(outer, "alias", inner),
            "delete_statement" => return true,
            _ => return false,
        }
    }
    false
}

/// The plain variable that alone gets this expression: `local = expression`.
pub(super) fn assigned_to<'t>(expression: Node<'t>, source: &Source) -> Option<Node<'t>> {
    let assignment = expression.parent().filter(|parent| parent.kind() == "assignment")?;
    let left = assignment.child_by_field_name("left")?;
    let is_plain = left.kind() == "identifier" && !is_global(left, source);
    (is_plain && is_field(assignment, "right", expression)).then_some(left)
}

/// Declared as a variable of the module, in the function that it stands in.
fn is_global(node: Node<'_>, source: &Source) -> bool {
    let function = around(node).find(|outer| outer.kind() == "function_definition");
    function.is_none_or(|function| {
        let declared = below(function).filter(|node| node.kind() == "global_statement");
        declared.flat_map(named).any(|name| source.are_alike(name, node))
    })
}

/// Whether a plain name is a variable of a function around it.
pub(super) fn is_local(node: Node<'_>, source: &Source, name: &str) -> bool {
    around(node).filter(|outer| outer.kind() == "function_definition").any(|function| {
        parameters(function, source).contains(name)
            || below(function).any(|one| {
                one.kind() == "identifier"
                    && source.is(one, name)
                    && is_variable(one)
                    && is_target(one)
                    && !is_global(one, source)
                    && function_of(one) == Some(function)
            })
    })
}

/// What a function is called with, but for its object.
pub(super) fn parameters<'s>(function: Node<'_>, source: &'s Source) -> BTreeSet<&'s str> {
    let all = function.child_by_field_name("parameters").into_iter().flat_map(named);
    let names = all.filter_map(|one| match one.kind() {
        "identifier" => Some(one),
        "typed_parameter" | "list_splat_pattern" | "dictionary_splat_pattern" => {
            below(one).find(|node| node.kind() == "identifier")
        }
        _ => one.child_by_field_name("name"),
    });
    names.map(|name| source.text(name)).filter(|name| !["self", "cls"].contains(name)).collect()
}

/// Names that go into an expression.
fn names<'s>(expression: Node<'_>, source: &'s Source) -> BTreeSet<&'s str> {
    let all = below(expression).filter(|node| node.kind() == "identifier" && is_variable(*node));
    all.map(|node| source.text(node)).collect()
}

/// The variables that get something where this is assigned to: `a` and `b` of `a, b.c[d]`.
fn variables<'t>(into: Node<'t>) -> Vec<Node<'t>> {
    match into.kind() {
        "identifier" => vec![into],
        "subscript" => into.child_by_field_name("value").map(variables).unwrap_or_default(),
        "attribute" => into.child_by_field_name("object").map(variables).unwrap_or_default(),
        "pattern_list" | "tuple_pattern" | "list_pattern" | "list_splat_pattern"
        | "as_pattern_target" => named(into).flat_map(variables).collect(),
        _ => Vec::new(),
    }
}

/// The variables of a function, each with all that is put into it.
pub(super) struct Flow<'s> {
    source: &'s Source,
    parameters: BTreeSet<&'s str>,
    put: BTreeMap<&'s str, Vec<Node<'s>>>,
}

impl<'s> Flow<'s> {
    pub(super) fn of(function: Node<'s>, source: &'s Source) -> Flow<'s> {
        let mut flow =
            Flow { source, parameters: parameters(function, source), put: BTreeMap::new() };
        for node in below(function) {
            let field = |name| node.child_by_field_name(name);
            let (into, from) = match node.kind() {
                "assignment" | "augmented_assignment" | "for_statement" | "for_in_clause" => {
                    (field("left"), field("right"))
                }
                "named_expression" => (field("name"), field("value")),
                "as_pattern" => (field("alias"), node.named_child(0)),
                "call" => (changed(node, source), field("arguments")),
                _ => continue,
            };
            if let (Some(into), Some(from)) = (into, from) {
                for variable in variables(into) {
                    flow.put.entry(source.text(variable)).or_default().push(from);
                }
            }
        }
        flow
    }

    /// All that is put into a variable.
    pub(super) fn into(&self, variable: Node<'_>) -> &[Node<'s>] {
        self.put.get(self.source.text(variable)).map_or(&[], Vec::as_slice)
    }

    /// The parameters that an expression is made of.
    pub(super) fn given(&self, expression: Node<'_>) -> BTreeSet<&'s str> {
        let mut given = self.origins(expression);
        given.retain(|name| self.parameters.contains(name));
        given
    }

    /// The parameters and variables of the function that an expression is made of, and what these are made of.
    pub(super) fn origins(&self, expression: Node<'_>) -> BTreeSet<&'s str> {
        let mut seen: BTreeSet<&'s str> = BTreeSet::new();
        let mut open: Vec<&'s str> = names(expression, self.source).into_iter().collect();
        while let Some(name) = open.pop() {
            if seen.insert(name) {
                let put = self.put.get(name).into_iter().flatten();
                open.extend(put.flat_map(|from| names(*from, self.source)));
            }
        }
        let is_own = |name: &str| self.put.contains_key(name) || ["self", "cls"].contains(&name);
        seen.retain(|name| self.parameters.contains(name) || is_own(name));
        seen
    }

    /// It is what the function was called with, as it was.
    pub(super) fn is_handed_in(&self, expression: Node<'_>) -> bool {
        let expression = bare(expression);
        let is_given = |name| self.parameters.contains(name) || ["self", "cls"].contains(&name);
        expression.kind() == "identifier" && is_given(self.source.text(expression))
    }

    /// A collection without anything in it, which is there to be filled by others.
    pub(super) fn is_empty(&self, expression: Node<'_>) -> bool {
        let expression = bare(expression);
        if expression.kind() == "identifier" {
            let put = self.into(expression);
            return !put.is_empty() && put.iter().all(|one| self.is_empty(*one));
        }
        is_empty(expression, self.source)
    }
}

/// `{}`, `dict()`, `WeakKeyDictionary()`, `defaultdict(list)`
pub(super) fn is_empty(expression: Node<'_>, source: &Source) -> bool {
    const MAKERS: &[&str] = &["dict", "list", "set", "OrderedDict", "deque", "Counter"];
    match expression.kind() {
        "dictionary" | "list" => expression.named_child_count() == 0,
        "call" => {
            let function = expression.child_by_field_name("function");
            let name = function.map(|function| source.text(function)).unwrap_or_default();
            let name = name.rsplit('.').next().unwrap_or_default();
            let arguments = expression.child_by_field_name("arguments");
            let has_none = arguments.is_some_and(|all| all.named_child_count() == 0);
            name == "defaultdict"
                || has_none && (MAKERS.contains(&name) || name.ends_with("Dictionary"))
        }
        _ => false,
    }
}

/// What a call changes: `types` in `types.append(one)`
pub(super) fn changed<'t>(call: Node<'t>, source: &Source) -> Option<Node<'t>> {
    let function = call.child_by_field_name("function")?;
    let method =
        function.child_by_field_name("attribute").filter(|_| function.kind() == "attribute")?;
    let object = function.child_by_field_name("object")?;
    CHANGING.contains(&source.text(method)).then_some(object)
}
