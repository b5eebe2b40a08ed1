//! An access path: from a root through a state, as a programmer would write it.

use std::fmt;

use crate::graph::{Edge, EdgeLabel, Graph, Target};
use crate::names::Label;
use crate::value::Words;

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Path {
    pub root: Label,
    /// Which of several roots with this name; almost always 0.
    pub(crate) root_ordinal: u32,
    pub steps: Vec<Step>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Step {
    pub label: EdgeLabel,
    /// Which of the edges with this label; almost always 0.
    pub ordinal: u32,
    /// For a step to one of many: the class of what is there, or, in a map, of its key.
    pub class: Option<Label>,
}

impl Step {
    /// The step along an edge of this graph.
    pub(crate) fn along(graph: &Graph, source: u32, at: u32) -> Step {
        let edge = graph.edge(at);
        let start = graph.range(source).start;
        let before = graph.slice(start..at);
        let first = before.partition_point(|other| other.label_key() < edge.label_key());
        let class = edge.target_node().filter(|_| edge.is_unordered()).map(|node| {
            let class = graph.record(node).class;
            match graph.field(node, Label::KEY) {
                Some(Target::Node(key)) if class == Label::ENTRY => graph.record(key.0).class,
                _ => class,
            }
        });
        Step { label: edge.label(), ordinal: (before.len() - first) as u32, class }
    }
}

impl Path {
    /// Where the path leads in a graph, if it leads anywhere. A step to one of many is told by its number in one capture, so
    /// it may lead to another one in another.
    pub fn resolve(&self, graph: &Graph) -> Option<Target> {
        self.met(graph).nth(self.steps.len())
    }

    /// What is met on the way: first at the root, then after each step, as far as it leads.
    pub fn met(&self, graph: &Graph) -> impl Iterator<Item = Target> {
        let root = nth(graph.roots(), EdgeLabel::Field(self.root), self.root_ordinal);
        let mut steps = self.steps.iter();
        std::iter::successors(root, move |target| {
            let Target::Node(node) = *target else { return None };
            let step = steps.next()?;
            nth(graph.edges(node), step.label, step.ordinal)
        })
    }

    pub fn shown<'a>(&'a self, words: Words<'a>) -> impl fmt::Display + use<'a> {
        Shown { path: self, words }
    }
}

fn nth(edges: &[Edge], label: EdgeLabel, ordinal: u32) -> Option<Target> {
    edges.iter().filter(|edge| edge.label() == label).nth(ordinal as usize).map(Edge::target)
}

/// More equal steps in a row than this are shown as one and their number.
const MOST_ALIKE: usize = 3;

struct Shown<'a> {
    path: &'a Path,
    words: Words<'a>,
}

impl fmt::Display for Shown<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let names = self.words.names;
        f.write_str(names.text(self.path.root))?;
        // A long list is a long row of the same step.
        for same in self.path.steps.chunk_by(|a, b| a.label == b.label && a.class == b.class) {
            let shown = if same.len() > MOST_ALIKE { 1 } else { same.len() };
            for step in &same[..shown] {
                write_label(f, step.label, step.class, self.words)?;
            }
            if shown < same.len() {
                write!(f, "(×{})", same.len())?;
            }
        }
        Ok(())
    }
}

/// A step as it is written after what it starts from.
pub(crate) fn write_label(
    f: &mut fmt::Formatter<'_>,
    label: EdgeLabel,
    class: Option<Label>,
    words: Words<'_>,
) -> fmt::Result {
    match label {
        // A step that nobody would write down.
        EdgeLabel::Field(name) if words.names.text(name).is_empty() => Ok(()),
        EdgeLabel::Field(name) => write!(f, ".{}", words.names.text(name)),
        EdgeLabel::Index(index) => write!(f, "[{index}]"),
        EdgeLabel::Key(value) => write!(f, "[{}]", value.shown(words)),
        EdgeLabel::Unordered(name) => {
            write!(f, "{{{}}}", simple(words.names.text(class.unwrap_or(name))))
        }
        EdgeLabel::Order(position) => write!(f, "#{position}"),
    }
}

/// Without the package.
pub(crate) fn simple(class: &str) -> &str {
    class.rsplit_once('.').map_or(class, |(_, simple)| simple)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::samples::State;

    #[test]
    fn a_path_reads_like_source_code() {
        let mut state = State::new();
        let step = |label| Step { label, ordinal: 0, class: None };
        let path = Path {
            root: state.names.label("com.acme.Potion.byName"),
            root_ordinal: 0,
            steps: vec![
                step(EdgeLabel::Key(state.value("\"invisibility\""))),
                step(EdgeLabel::Field(state.names.label("effects"))),
                step(EdgeLabel::Index(2)),
                Step {
                    class: Some(state.names.label("com.acme.Effect")),
                    ..step(EdgeLabel::Unordered(Label::MEMBER))
                },
                step(EdgeLabel::Field(state.names.label("level"))),
            ],
        };
        assert_eq!(
            path.shown(state.words()).to_string(),
            "com.acme.Potion.byName[\"invisibility\"].effects[2]{Effect}.level"
        );
    }

    #[test]
    fn a_path_leads_to_its_target() {
        let mut state = State::new();
        let graph = state.graph(
            "A.x = @a
             @a Set: <@>=@b <@>=@c
             @b Item: n=1
             @c Item: n=2",
        );
        let n = EdgeLabel::Field(state.names.label("n"));
        let member = EdgeLabel::Unordered(Label::MEMBER);
        let path = |ordinal| Path {
            root: state.names.find("A.x").unwrap(),
            root_ordinal: 0,
            steps: vec![
                Step { label: member, ordinal, class: None },
                Step { label: n, ordinal: 0, class: None },
            ],
        };
        assert_eq!(path(1).resolve(&graph), Some(crate::Value::Int(2).into()));
        assert_eq!(path(2).resolve(&graph), None);
        assert_eq!((path(1).met(&graph).count(), path(2).met(&graph).count()), (3, 1));
    }
}
