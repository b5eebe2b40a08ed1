//! IdentityHashMap.
//!
//! "This class makes no guarantees as to the order of the map; in particular, it does not guarantee that the order will
//! remain constant over time." (`java.util.IdentityHashMap`)

use surefoot_model::ChoiceKind;

use super::look::{ENTRIES, KEYS, Look, VALUES};
use super::{Model, Passed, Woven};

const OUTER: Passed = Passed::Field("this$0", "Ljava/util/IdentityHashMap;");

/// The other `toArray` goes by way of this one.
const VIEW: &[Look] = &[Look::Iterator, Look::Spliterator, Look::ToTypedArray];

pub(super) static MODEL: Model = Model {
    name: "java.util.IdentityHashMap",
    kind: ChoiceKind::Permute,
    by_content: false,
    classes: &[
        Woven {
            class: "java/util/IdentityHashMap",
            fields: &[("table", "[Ljava/lang/Object;"), ("size", "I"), ("modCount", "I")],
            calls: &[("unmaskNull", "(Ljava/lang/Object;)Ljava/lang/Object;")],
            looks: &[Look::ForEachPair, Look::ReplaceAll],
            ..Woven::ONLY_READ
        },
        Woven {
            class: "java/util/IdentityHashMap$KeySet",
            looks: VIEW,
            of: OUTER,
            view: KEYS,
            others: &["size", "clear", "contains", "remove", "removeAll", "hashCode"],
            ..Woven::ONLY_READ
        },
        Woven {
            class: "java/util/IdentityHashMap$Values",
            looks: VIEW,
            of: OUTER,
            view: VALUES,
            others: &["size", "clear", "contains", "remove"],
            ..Woven::ONLY_READ
        },
        Woven {
            class: "java/util/IdentityHashMap$EntrySet",
            looks: VIEW,
            of: OUTER,
            view: ENTRIES,
            others: &["size", "clear", "contains", "remove", "removeAll"],
            ..Woven::ONLY_READ
        },
    ],
};
