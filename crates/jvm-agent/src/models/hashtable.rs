//! Hashtable. Properties are one in name only: they keep their entries in a ConcurrentHashMap.
//!
//! "The order of a map is defined as the order in which the iterators on the map's collection views return their elements.
//! Some map implementations, like the TreeMap class, make specific guarantees as to their order; others, like the HashMap
//! class, do not." (`java.util.Map`) `java.util.Hashtable` makes none.
//!
//! Its text, its streams and its copies go by way of its views.

use surefoot_model::ChoiceKind;

use super::look::Look;
use super::{Model, Passed, Woven};

const OUTER: Passed = Passed::Field("this$0", "Ljava/util/Hashtable;");

pub(super) static MODEL: Model = Model {
    name: "java.util.Hashtable",
    kind: ChoiceKind::Permute,
    by_content: false,
    classes: &[
        Woven {
            class: "java/util/Hashtable",
            fields: &[("modCount", "I")],
            looks: &[Look::ForEachPair, Look::ReplaceAll, Look::WalkedKeys, Look::WalkedElements],
            ..Woven::ONLY_READ
        },
        Woven {
            class: "java/util/Hashtable$KeySet",
            looks: &[Look::WalkedIterator],
            of: OUTER,
            others: &["size", "clear", "contains", "remove"],
            ..Woven::ONLY_READ
        },
        Woven {
            class: "java/util/Hashtable$ValueCollection",
            looks: &[Look::WalkedIterator],
            of: OUTER,
            others: &["size", "clear", "contains"],
            ..Woven::ONLY_READ
        },
        Woven {
            class: "java/util/Hashtable$EntrySet",
            looks: &[Look::WalkedIterator],
            of: OUTER,
            others: &["size", "clear", "contains", "remove", "add"],
            ..Woven::ONLY_READ
        },
    ],
};
