//! A file of Python's, as a tree.

use std::path::{Path, PathBuf};

use tree_sitter::{Node, Parser, Tree};

pub(super) struct Source {
    path: PathBuf,
    text: String,
    tree: Tree,
}

impl Source {
    /// None if it is not understood whole.
    pub(super) fn parse(path: &Path, text: String) -> Option<Source> {
        let mut parser = Parser::new();
        parser.set_language(&tree_sitter_python::LANGUAGE.into()).ok()?;
        let tree = parser.parse(&text, None)?;
        let is_whole =
            path.extension().is_some_and(|end| end == "py") && !tree.root_node().has_error();
        is_whole.then(|| Source { path: path.to_owned(), text, tree })
    }

    pub(super) fn root(&self) -> Node<'_> {
        self.tree.root_node()
    }

    pub(super) fn text(&self, node: Node<'_>) -> &str {
        self.text.get(node.byte_range()).unwrap_or_default()
    }

    pub(super) fn is(&self, node: Node<'_>, text: &str) -> bool {
        self.text(node) == text
    }

    /// Whether two expressions read the same.
    pub(super) fn are_alike(&self, one: Node<'_>, other: Node<'_>) -> bool {
        let plain = |node| self.text(node).split_whitespace().collect::<String>();
        plain(one) == plain(other)
    }

    /// Whether it is the file of the module `shop.cart`.
    pub(super) fn is_module(&self, module: &str) -> bool {
        let is_package = self.path.file_name().is_some_and(|name| name == "__init__.py");
        let path = if is_package { self.path.parent() } else { Some(self.path.as_path()) };
        let path = path.map(|path| path.with_extension("")).unwrap_or_default();
        path.ends_with(module.replace('.', "/"))
    }
}

/// A node and all that is below it.
pub(super) fn below<'t>(node: Node<'t>) -> impl Iterator<Item = Node<'t>> {
    let mut cursor = node.walk();
    let mut next = Some(node);
    std::iter::from_fn(move || {
        let node = next?;
        let goes_on = cursor.goto_first_child()
            || loop {
                if cursor.goto_next_sibling() {
                    break true;
                }
                if !cursor.goto_parent() {
                    break false;
                }
            };
        next = goes_on.then(|| cursor.node());
        Some(node)
    })
}

/// The nodes that a node lies in, from the nearest on.
pub(super) fn around<'t>(node: Node<'t>) -> impl Iterator<Item = Node<'t>> {
    std::iter::successors(node.parent(), |node| node.parent())
}

pub(super) fn named<'t>(node: Node<'t>) -> impl Iterator<Item = Node<'t>> {
    let all: Vec<Node<'t>> = node.named_children(&mut node.walk()).collect();
    all.into_iter()
}

/// Whether the node is this child of its parent.
pub(super) fn is_field(parent: Node<'_>, field: &str, node: Node<'_>) -> bool {
    parent.child_by_field_name(field) == Some(node)
}

/// Without the parentheses around it.
pub(super) fn bare(node: Node<'_>) -> Node<'_> {
    match node.kind() {
        "parenthesized_expression" => node.named_child(0).map_or(node, bare),
        _ => node,
    }
}

/// The function whose body it is in.
pub(super) fn function_of(node: Node<'_>) -> Option<Node<'_>> {
    with_body_around(node, "function_definition")
}

/// The class whose body it is in, in a method or not.
pub(super) fn class_of(node: Node<'_>) -> Option<Node<'_>> {
    with_body_around(node, "class_definition")
}

fn with_body_around<'t>(node: Node<'t>, kind: &str) -> Option<Node<'t>> {
    let mut inner = node;
    around(node).find(|outer| {
        let is_it = outer.kind() == kind && is_field(*outer, "body", inner);
        inner = *outer;
        is_it
    })
}
