//! HashMap, and HashSet, which is made of one.
//!
//! "This class makes no guarantees as to the order of the map; in particular, it does not guarantee that the order will
//! remain constant over time." (`java.util.HashMap`; `java.util.HashSet` says the same of its iteration order.)
//!
//! LinkedHashMap and LinkedHashSet have views of their own, whose order is specified: nothing of them is touched. Copies,
//! text and streams go by way of the methods here. Serialised forms are left as they are.

use surefoot_model::ChoiceKind;

use super::look::{ENTRIES, KEYS, Look, VALUES};
use super::{Model, Passed, Woven};

/// Of a view: the map that it is a view of.
const OUTER: Passed = Passed::Field("this$0", "Ljava/util/HashMap;");

const VIEW: &[Look] =
    &[Look::Iterator, Look::Spliterator, Look::ForEach, Look::ToArray, Look::ToTypedArray];

pub(super) static MODEL: Model = Model {
    name: "java.util.HashMap",
    kind: ChoiceKind::Permute,
    by_content: false,
    classes: &[
        Woven {
            class: "java/util/HashMap$Node",
            fields: &[
                ("hash", "I"),
                ("key", "Ljava/lang/Object;"),
                ("value", "Ljava/lang/Object;"),
                ("next", "Ljava/util/HashMap$Node;"),
            ],
            ..Woven::ONLY_READ
        },
        Woven {
            class: "java/util/HashMap",
            fields: &[("table", "[Ljava/util/HashMap$Node;"), ("size", "I"), ("modCount", "I")],
            calls: &[(
                "removeNode",
                "(ILjava/lang/Object;Ljava/lang/Object;ZZ)Ljava/util/HashMap$Node;",
            )],
            looks: &[Look::ForEachPair, Look::ReplaceAll],
            ..Woven::ONLY_READ
        },
        Woven {
            class: "java/util/HashSet",
            fields: &[("map", "Ljava/util/HashMap;")],
            looks: &[Look::Spliterator, Look::ToArray, Look::ToTypedArray],
            of: Passed::Field("map", "Ljava/util/HashMap;"),
            ..Woven::ONLY_READ
        },
        Woven {
            class: "java/util/HashMap$KeySet",
            looks: VIEW,
            of: OUTER,
            view: KEYS,
            others: &["size", "clear", "contains", "remove"],
            ..Woven::ONLY_READ
        },
        Woven {
            class: "java/util/HashMap$Values",
            looks: VIEW,
            of: OUTER,
            view: VALUES,
            others: &["size", "clear", "contains"],
            ..Woven::ONLY_READ
        },
        Woven {
            class: "java/util/HashMap$EntrySet",
            looks: &[Look::Iterator, Look::Spliterator, Look::ForEach],
            of: OUTER,
            view: ENTRIES,
            others: &["size", "clear", "contains", "remove"],
            ..Woven::ONLY_READ
        },
    ],
};
