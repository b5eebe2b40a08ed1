//! States of the size that real programs have; in debug builds a twentieth of it.

use surefoot_state::{
    Change, EdgeLabel, Graph, GraphBuilder, Label, Names, Node, Rules, Texts, Value, Verdict,
    Words, canonical, differences, isomorphic, triples,
};

const ENTRIES: u32 = if cfg!(debug_assertions) { 50_000 } else { 1_000_000 };

#[derive(Clone, Copy, PartialEq)]
enum Keys {
    Texts,
    Objects,
}

struct Map {
    names: Names,
    texts: Texts,
    rules: Rules,
}

impl Map {
    fn new() -> Self {
        let mut names = Names::new();
        let rules = Rules::java(&mut names);
        Map { names, texts: Texts::new(), rules }
    }

    /// A HashMap with one entry in each bucket; `changed` is the number of the value that differs.
    fn graph(&mut self, keys: Keys, identities: bool, changed: Option<u32>) -> Graph {
        let mut builder = GraphBuilder::new();
        let mut count = 0;
        let mut node = |builder: &mut GraphBuilder, class: Label| {
            count += 1;
            let identity = if identities { count } else { 0 };
            builder.node(Node { class, content: None, identity })
        };
        let mut label = |name: &str| self.names.label(name);
        let (entry, item, point) = (label("java.util.HashMap$Node"), label("Item"), label("Point"));
        let (key, value, number) = (label("key"), label("value"), label("number"));
        let map = node(&mut builder, label("java.util.HashMap"));
        let table = node(&mut builder, label("Node[]"));
        builder.edge(map, EdgeLabel::Field(label("table")), table);
        builder.root(label("Registry.all"), map);
        for at in 0..ENTRIES {
            // Not in the order of the keys.
            let at = (u64::from(at) * 7919 % u64::from(ENTRIES)) as u32;
            let link = node(&mut builder, entry);
            builder.edge(table, EdgeLabel::Index(at), link);
            match keys {
                Keys::Texts => {
                    let text = Value::Text(self.texts.intern(&format!("key {at}")));
                    builder.edge(link, EdgeLabel::Field(key), text);
                }
                Keys::Objects => {
                    let object = node(&mut builder, point);
                    builder.edge(object, EdgeLabel::Field(number), Value::Int(i64::from(at)));
                    builder.edge(link, EdgeLabel::Field(key), object);
                }
            }
            let held = node(&mut builder, item);
            let own = if changed == Some(at) { -1 } else { i64::from(at) };
            builder.edge(held, EdgeLabel::Field(number), Value::Int(own));
            builder.edge(link, EdgeLabel::Field(value), held);
        }
        self.rules.apply(&builder.build().expect("a graph"))
    }

    fn told(&self, before: &Graph, after: &Graph) -> Vec<String> {
        let words = Words { names: &self.names, texts: &self.texts };
        let found = differences(before, after, &self.names, 10);
        assert!(found.list.iter().all(|difference| difference.change == Change::Value));
        found.list.iter().map(|difference| difference.shown(words).to_string()).collect()
    }
}

#[test]
fn one_value_in_a_large_map_is_found() {
    let mut map = Map::new();
    let before = map.graph(Keys::Texts, true, None);
    let same = map.graph(Keys::Texts, false, None);
    let after = map.graph(Keys::Texts, true, Some(4711));
    assert_eq!(isomorphic(&before, &same), Verdict::Same);
    assert_eq!(canonical(&before), canonical(&same));
    let expected = "Registry.all[\"key 4711\"].number: 4711 -> -1";
    assert_eq!(map.told(&before, &after), [expected]);
    let words = Words { names: &map.names, texts: &map.texts };
    assert_eq!(triples(&before, words).count(), 2 * ENTRIES as usize + 1);
}

#[test]
fn one_value_of_an_object_key_is_found_with_and_without_identities() {
    let mut map = Map::new();
    let before = map.graph(Keys::Objects, true, None);
    let expected = "Registry.all{Point}.value.number: 4711 -> -1";
    for identities in [true, false] {
        let same = map.graph(Keys::Objects, identities, None);
        assert_eq!(isomorphic(&before, &same), Verdict::Same);
        let after = map.graph(Keys::Objects, identities, Some(4711));
        assert_eq!(map.told(&before, &after), [expected]);
    }
}
