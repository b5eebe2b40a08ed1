//! Graphs as text, for tests.
//!
//!     Potion.byName = @map              a root
//!     @map HashMap#17: size=1 table=@t  a node, its identity, fields
//!     @list List: [0]="a" [1]=null      elements
//!     @map Map: <"a">=1 <@>=@e          an entry by key, one without order
//!     @map Map: ^0="a"                  a position
//!     @array int[]%abc:                 a content
//!
//! Values: `null`, `present`, `true`, `3`, `3L`, `"text"` (without spaces), `State.OPEN`.

use std::collections::HashMap;

use crate::abstraction::Rules;
use crate::builder::GraphBuilder;
use crate::differences::differences;
use crate::graph::{Digest, EdgeLabel, Graph, Node, NodeId, Target};
use crate::isomorphism::{Verdict, isomorphic};
use crate::names::{Label, Names};
use crate::texts::Texts;
use crate::value::{Value, Words};

#[derive(Debug, Default)]
pub(crate) struct State {
    pub(crate) names: Names,
    pub(crate) texts: Texts,
}

impl State {
    pub(crate) fn new() -> Self {
        State::default()
    }

    pub(crate) fn words(&self) -> Words<'_> {
        Words { names: &self.names, texts: &self.texts }
    }

    pub(crate) fn graph(&mut self, text: &str) -> Graph {
        let mut builder = GraphBuilder::new();
        let mut ids: HashMap<&str, NodeId> = HashMap::new();
        let lines: Vec<&str> =
            text.lines().map(str::trim).filter(|line| !line.is_empty()).collect();
        for line in lines.iter().filter(|line| line.starts_with('@')) {
            let (head, _) = line.split_once(':').expect("a colon after the class");
            let (id, class) = head.split_once(' ').expect("a class");
            let (class, content) = match class.split_once('%') {
                Some((class, content)) => {
                    let digest = Digest::of(content.as_bytes(), content.len() as u64);
                    (class, Some(digest))
                }
                None => (class, None),
            };
            let (class, identity) = class.split_once('#').unwrap_or((class, "0"));
            let identity = identity.parse().expect("an identity");
            let node = Node { class: self.names.label(class), content, identity };
            ids.insert(id, builder.node(node));
        }
        for line in lines {
            if let Some((head, edges)) = line.split_once(": ").filter(|_| line.starts_with('@')) {
                let source = ids[head.split(' ').next().expect("an id")];
                for edge in edges.split_whitespace() {
                    let (label, target) = edge.rsplit_once('=').expect("label=target");
                    let label = self.label(label);
                    let target = self.target(target, &ids);
                    builder.edge(source, label, target);
                }
            } else if let Some((root, target)) = line.split_once(" = ") {
                let target = self.target(target, &ids);
                builder.root(self.names.label(root), target);
            }
        }
        builder.build().expect("a graph")
    }

    fn label(&mut self, label: &str) -> EdgeLabel {
        let inner = label.get(1..label.len() - 1).unwrap_or_default();
        match label.as_bytes()[0] {
            b'[' => EdgeLabel::Index(inner.parse().expect("an index")),
            b'^' => EdgeLabel::Order(label[1..].parse().expect("a position")),
            b'<' if inner == "@" => EdgeLabel::Unordered(Label::MEMBER),
            b'<' if inner == "entry" => EdgeLabel::Unordered(Label::ENTRY),
            b'<' => EdgeLabel::Key(self.value(inner)),
            _ => EdgeLabel::Field(self.names.label(label)),
        }
    }

    fn target(&mut self, target: &str, ids: &HashMap<&str, NodeId>) -> Target {
        match ids.get(target) {
            Some(&node) => Target::Node(node),
            None => Target::Value(self.value(target)),
        }
    }

    pub(crate) fn value(&mut self, value: &str) -> Value {
        match value {
            "null" => Value::Null,
            "present" => Value::Present,
            "true" => Value::Bool(true),
            "false" => Value::Bool(false),
            text if text.starts_with('"') => {
                Value::Text(self.texts.intern(&text[1..text.len() - 1]))
            }
            long if long.ends_with('L') && long[..long.len() - 1].parse::<i64>().is_ok() => {
                Value::Long(long[..long.len() - 1].parse().expect("a number"))
            }
            other => match other.parse() {
                Ok(number) => Value::Int(number),
                Err(_) => Value::Named(self.names.label(other)),
            },
        }
    }

    /// What differs, a line each; checks that both directions and the verdict agree.
    pub(crate) fn differences(&mut self, before: &str, after: &str) -> Vec<String> {
        let (before, after) = (self.graph(before), self.graph(after));
        self.between(&before, &after)
    }

    pub(crate) fn between(&self, before: &Graph, after: &Graph) -> Vec<String> {
        let found = differences(before, after, self.words().names, 100);
        let verdict = isomorphic(before, after);
        assert_eq!(found.verdict, verdict);
        assert_eq!(isomorphic(after, before), verdict);
        assert_eq!(found.list.is_empty(), verdict == Verdict::Same);
        assert_eq!(found.more, 0);
        for difference in &found.list {
            let path = &difference.path;
            assert!(path.resolve(before).is_some() || path.resolve(after).is_some());
        }
        found.list.iter().map(|d| d.shown(self.words()).to_string()).collect()
    }

    /// The abstract graph, as the triples that people see.
    pub(crate) fn abstracted(&mut self, rules: &Rules, text: &str) -> Vec<String> {
        let graph = rules.apply(&self.graph(text));
        crate::triples::triples(&graph, self.words()).map(|triple| triple.to_string()).collect()
    }
}
