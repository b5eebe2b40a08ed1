//! Any bytes as two states, and everything that is done with states. The fuzz target and a property test share it.

use surefoot_state::{
    Digest, EdgeLabel, Graph, GraphBuilder, Label, Names, Node, NodeId, Rules, Target, Texts,
    Value, Verdict, Words, canonical, differences, isomorphic, triples,
};

/// Classes that have rules, so that random fields may have the shapes that these expect.
const CLASSES: [&str; 16] = [
    "Object",
    "java.util.ArrayList",
    "java.util.ArrayDeque",
    "java.util.LinkedList",
    "java.util.PriorityQueue",
    "java.util.HashMap",
    "java.util.LinkedHashMap",
    "java.util.TreeMap",
    "java.util.IdentityHashMap",
    "java.util.HashSet",
    "java.util.LinkedHashSet",
    "java.util.EnumMap",
    "java.util.RegularEnumSet",
    "java.util.WeakHashMap",
    "java.util.concurrent.ConcurrentHashMap",
    "java.util.concurrent.ConcurrentSkipListMap",
];

const FIELDS: [&str; 32] = [
    "elementData",
    "size",
    "elements",
    "head",
    "tail",
    "first",
    "next",
    "item",
    "queue",
    "table",
    "key",
    "value",
    "val",
    "after",
    "root",
    "left",
    "right",
    "map",
    "keyUniverse",
    "vals",
    "universe",
    "node",
    "referent",
    "nextTable",
    "modCount",
    "x",
    "y",
    "key",
    "value",
    "next",
    "table",
    "map",
];

struct Bytes<'a>(&'a [u8]);

impl Bytes<'_> {
    fn next(&mut self) -> Option<u8> {
        let (&first, rest) = self.0.split_first()?;
        self.0 = rest;
        Some(first)
    }
}

struct Decoder {
    classes: Vec<Label>,
    fields: Vec<Label>,
    texts: Texts,
}

impl Decoder {
    fn target(&mut self, bytes: &mut Bytes<'_>, nodes: u8) -> Option<Target> {
        let (kind, payload) = (bytes.next()?, bytes.next()?);
        let number = i64::from(payload as i8);
        Some(match kind % 16 {
            0..=9 => Target::Node(NodeId::new(u32::from(payload % nodes.max(1)))),
            10 => Value::Null.into(),
            11 => Value::Text(self.texts.intern(&number.to_string())).into(),
            12 => Value::Long(number.wrapping_mul(0x0101_0101_0101_0101)).into(),
            13 => Value::Named(self.classes[usize::from(payload % 16)]).into(),
            _ => Value::Int(number).into(),
        })
    }

    fn graph(&mut self, bytes: &mut Bytes<'_>) -> Option<Graph> {
        let mut builder = GraphBuilder::new();
        let nodes = bytes.next()? % 24;
        for _ in 0..nodes {
            let (class, extra) = (bytes.next()?, bytes.next()?);
            let content = (extra % 8 == 0).then(|| Digest::of(&[class], u64::from(extra)));
            let class = self.classes[usize::from(class % 16)];
            builder.node(Node { class, content, identity: u64::from(extra % 16) });
        }
        let edges = bytes.next()?;
        for _ in 0..edges {
            let (source, kind, name) = (bytes.next()?, bytes.next()?, bytes.next()?);
            let field = self.fields[usize::from(name % 32)];
            let label = match kind % 16 {
                0..=7 => EdgeLabel::Field(field),
                8..=12 => EdgeLabel::Index(u32::from(name % 8)),
                13 => EdgeLabel::Unordered(field),
                14 => EdgeLabel::Order(u32::from(name % 4)),
                _ => EdgeLabel::Key(Value::Int(i64::from(name % 4))),
            };
            let target = self.target(bytes, nodes)?;
            builder.edge(NodeId::new(u32::from(source % nodes.max(1))), label, target);
        }
        for at in 0..4 {
            let target = self.target(bytes, nodes)?;
            builder.root(self.fields[at], target);
        }
        builder.build().ok()
    }
}

/// Panics if something does not hold.
pub(crate) fn compare(bytes: &[u8]) {
    let mut names = Names::new();
    let rules = Rules::java(&mut names);
    let mut decoder = Decoder {
        classes: CLASSES.map(|class| names.label(class)).to_vec(),
        fields: FIELDS.map(|field| names.label(field)).to_vec(),
        texts: Texts::new(),
    };
    let mut bytes = Bytes(bytes);
    let Some(before) = decoder.graph(&mut bytes) else {
        return;
    };
    let after = decoder.graph(&mut bytes);
    let after = after.as_ref().unwrap_or(&before);
    let words = Words { names: &names, texts: &decoder.texts };
    let abstract_before = rules.apply(&before);
    let abstract_after = rules.apply(after);
    for (old, new) in [
        (&before, after),
        (&abstract_before, &abstract_after),
        (&abstract_before, &abstract_before),
    ] {
        let verdict = isomorphic(old, new);
        assert_eq!(verdict, isomorphic(new, old));
        let found = differences(old, new, words.names, 5);
        assert_eq!(found.verdict, verdict);
        assert_eq!(found.list.is_empty(), verdict != Verdict::Different);
        for difference in &found.list {
            assert!(!difference.shown(words).to_string().is_empty());
            assert!(difference.path.resolve(old).or(difference.path.resolve(new)).is_some());
        }
        if canonical(old) == canonical(new) {
            assert_eq!(verdict, Verdict::Same);
        }
        triples(old, words).for_each(|triple| drop(triple.to_string()));
    }
    assert_eq!(isomorphic(&before.restricted(|_| true), &before), Verdict::Same);
}
