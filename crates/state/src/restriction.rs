//! The part of a graph that some of its roots reach (PolDet, definition 3).

use crate::graph::{Digest, Edge, EdgeLabel, Graph, NO_CONTENT, Record};
use crate::names::Label;
use crate::pairing::NONE;

impl Graph {
    /// With those roots only that `keep` wants, and without what no root reaches any more.
    pub fn restricted(&self, mut keep: impl FnMut(Label) -> bool) -> Graph {
        let mut kept: Vec<Edge> = self.roots().to_vec();
        kept.retain(|edge| matches!(edge.label(), EdgeLabel::Field(name) if keep(name)));
        let mut part = Part { whole: self, number: vec![NONE; self.len()], nodes: Vec::new() };
        for root in &mut kept {
            *root = part.renumbered(*root);
        }
        let mut graph = Graph {
            records: Vec::new(),
            first_edge: vec![0],
            edges: Vec::new(),
            contents: Vec::new(),
        };
        let mut at = 0;
        while let Some(&node) = part.nodes.get(at) {
            for &edge in self.slice(self.range(node)) {
                graph.edges.push(part.renumbered(edge));
            }
            graph.push_record(*self.record(node), self.content(node));
            at += 1;
        }
        graph.edges.append(&mut kept);
        graph.first_edge.push(graph.edges.len() as u32);
        graph
    }

    /// For a graph that is written node by node: the node whose edges were just written.
    pub(crate) fn push_record(&mut self, record: Record, content: Option<&Digest>) {
        let at = match content {
            Some(&content) => {
                self.contents.push(content);
                self.contents.len() as u32 - 1
            }
            None => NO_CONTENT,
        };
        self.records.push(Record { content: at, ..record });
        self.first_edge.push(self.edges.len() as u32);
    }

    /// Which nodes these edges lead to, at any distance.
    pub(crate) fn reached_from<'a>(&self, edges: impl Iterator<Item = &'a Edge>) -> Vec<bool> {
        let mut reached = vec![false; self.len()];
        let mut todo: Vec<u32> = Vec::new();
        let mut reach = |edge: &Edge, todo: &mut Vec<u32>| {
            if let Some(node) = edge.target_node()
                && !std::mem::replace(&mut reached[node as usize], true)
            {
                todo.push(node);
            }
        };
        for edge in edges {
            reach(edge, &mut todo);
        }
        while let Some(node) = todo.pop() {
            for edge in self.slice(self.range(node)) {
                reach(edge, &mut todo);
            }
        }
        reached
    }
}

struct Part<'g> {
    whole: &'g Graph,
    /// Of each node of the whole.
    number: Vec<u32>,
    nodes: Vec<u32>,
}

impl Part<'_> {
    fn renumbered(&mut self, edge: Edge) -> Edge {
        let Some(node) = edge.target_node() else {
            return edge;
        };
        debug_assert!((node as usize) < self.whole.len());
        let number = &mut self.number[node as usize];
        if *number == NONE {
            *number = self.nodes.len() as u32;
            self.nodes.push(node);
        }
        edge.with_node(*number)
    }
}

#[cfg(test)]
mod tests {
    use crate::isomorphism::{Verdict, isomorphic};
    use crate::samples::State;

    #[test]
    fn what_only_other_roots_reach_is_gone() {
        let mut state = State::new();
        let graph = state.graph(
            "A.x = @a
             B.y = @b
             @a Node: next=@c
             @b Node: next=@c only=@d
             @c Node: next=@a size=3
             @d Node:",
        );
        let a = state.names.find("A.x");
        let part = graph.restricted(|root| Some(root) == a);
        assert_eq!(part.len(), 2);
        let same = state.graph(
            "A.x = @a
             @a Node: next=@c
             @c Node: next=@a size=3",
        );
        assert_eq!(isomorphic(&part, &same), Verdict::Same);
        assert_eq!(graph.restricted(|_| false).len(), 0);
        assert_eq!(isomorphic(&graph.restricted(|_| true), &graph), Verdict::Same);
    }
}
