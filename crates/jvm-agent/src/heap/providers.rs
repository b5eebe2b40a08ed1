//! Security providers, by which there are: the JDK keeps them in an array, and takes those that it cannot load out of it
//! when it is first asked, so that others move up. Where each is says little about who came.

use std::collections::BTreeMap;

use surefoot_model::{Access, Difference, DifferenceKind};
use surefoot_state::{EdgeLabel, Graph, NodeId, Seen, Target, Words};

pub(crate) const ROOT: &str = "Security.getProviders()";

/// By the object of each: its place, and its name if that is in the picture.
type Providers = BTreeMap<u64, (u32, Option<String>)>;

/// What came, what went, and whether those that stayed are in another order; none if they are kept in another way.
pub(crate) fn differences(
    before: &Graph,
    after: &Graph,
    words: Words<'_>,
) -> Option<Vec<Difference>> {
    let (before, after) = (providers(before, words)?, providers(after, words)?);
    let only_in = |one: &Providers, other: &Providers| -> Vec<String> {
        let missing = one.iter().filter(|(object, _)| !other.contains_key(object));
        missing.map(|(_, (place, name))| shown(*place, name.as_deref())).collect()
    };
    let came =
        only_in(&after, &before).into_iter().map(|step| changed(step, DifferenceKind::Added));
    let went = only_in(&before, &after).into_iter();
    let went = went.map(|step| changed(step, DifferenceKind::Removed));
    let order = |one: &Providers, other: &Providers| -> Vec<u64> {
        let mut stayed: Vec<(u32, u64)> = one
            .iter()
            .filter(|(object, _)| other.contains_key(object))
            .map(|(object, (place, _))| (*place, *object))
            .collect();
        stayed.sort_unstable();
        stayed.into_iter().map(|(_, object)| object).collect()
    };
    let moved = order(&before, &after) != order(&after, &before);
    let moved = moved.then(|| changed(String::new(), DifferenceKind::Order));
    Some(came.chain(went).chain(moved).collect())
}

fn shown(place: u32, name: Option<&str>) -> String {
    name.map_or_else(|| format!("[{place}]"), |name| format!("[{name}]"))
}

fn changed(step: String, kind: DifferenceKind) -> Difference {
    let side = |is_there: bool| is_there.then(|| "provider".to_owned());
    Difference {
        root: ROOT.to_owned(),
        steps: u32::from(!step.is_empty()),
        path: format!("{ROOT}{step}"),
        field: None,
        through: Vec::new(),
        access: Access::Process,
        kind,
        before: side(kind != DifferenceKind::Added),
        after: side(kind != DifferenceKind::Removed),
    }
}

fn providers(graph: &Graph, words: Words<'_>) -> Option<Providers> {
    let label = |name: &str| words.names.find(name).map(EdgeLabel::Field);
    let node = |target: Target| match target {
        Target::Node(node) => Some(node),
        Target::Value(_) => None,
    };
    let find = |edges: &[surefoot_state::Edge], label: EdgeLabel| {
        edges.iter().find(|edge| edge.label() == label).map(surefoot_state::Edge::target)
    };
    let list = node(find(graph.roots(), label(ROOT)?)?)?;
    let configs = node(find(graph.edges(list), label("configs")?)?)?;
    let name_of = |config: NodeId| {
        let target = find(graph.edges(config), label("provName")?)?;
        match target {
            Target::Value(value) => Some(Seen::Value(value).shown(words).to_string()),
            Target::Node(_) => None,
        }
    };
    let mut providers = Providers::new();
    for edge in graph.edges(configs) {
        let EdgeLabel::Index(place) = edge.label() else { continue };
        let config = node(edge.target())?;
        providers.insert(graph.node(config)?.identity, (place, name_of(config)));
    }
    Some(providers)
}

#[cfg(test)]
mod tests {
    use super::*;
    use surefoot_state::{GraphBuilder, Names, Node, Texts, Value};

    /// A list of these, by what tells them apart.
    fn list(names: &mut Names, texts: &mut Texts, of: &[(u64, &str)]) -> Graph {
        let mut builder = GraphBuilder::new();
        let object = |builder: &mut GraphBuilder, names: &mut Names, identity| {
            let class = names.label("X");
            builder.node(Node { class, content: None, identity })
        };
        let list = object(&mut builder, names, 1);
        let configs = object(&mut builder, names, 2);
        builder.root(names.label(ROOT), list);
        builder.edge(list, EdgeLabel::Field(names.label("configs")), configs);
        for (place, (identity, name)) in (0..).zip(of) {
            let config = object(&mut builder, names, *identity);
            builder.edge(configs, EdgeLabel::Index(place), config);
            if !name.is_empty() {
                let label = EdgeLabel::Field(names.label("provName"));
                builder.edge(config, label, Value::Text(texts.intern(name)));
            }
        }
        builder.build().unwrap()
    }

    fn told(before: &[(u64, &str)], after: &[(u64, &str)]) -> Vec<(String, DifferenceKind)> {
        let (mut names, mut texts) = (Names::new(), Texts::new());
        let before = list(&mut names, &mut texts, before);
        let after = list(&mut names, &mut texts, after);
        let words = Words { names: &names, texts: &texts };
        let told = differences(&before, &after, words).unwrap();
        told.into_iter().map(|one| (one.path, one.kind)).collect()
    }

    #[test]
    fn one_that_comes_while_others_move_up_is_told() {
        let before = [(10, "A"), (11, "B"), (12, "")];
        let after = [(10, "A"), (12, ""), (13, "New")];
        let came = ("Security.getProviders()[\"New\"]".to_owned(), DifferenceKind::Added);
        let went = ("Security.getProviders()[\"B\"]".to_owned(), DifferenceKind::Removed);
        assert_eq!(told(&before, &after), [came, went]);
    }

    #[test]
    fn another_order_is_told() {
        let moved = (ROOT.to_owned(), DifferenceKind::Order);
        assert_eq!(told(&[(1, "A"), (2, "B")], &[(2, "B"), (1, "A")]), [moved]);
        assert_eq!(told(&[(1, "A")], &[(1, "A")]), []);
    }
}
