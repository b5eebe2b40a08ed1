//! WeakHashMap.
//!
//! "The order of a map is defined as the order in which the iterators on the map's collection views return their elements.
//! Some map implementations, like the TreeMap class, make specific guarantees as to their order; others, like the HashMap
//! class, do not." (`java.util.Map`) `java.util.WeakHashMap` makes none.
//!
//! A key that is still to come in a traversal is not collected, so it never comes as null.

use surefoot_model::ChoiceKind;

use super::look::Look;
use super::{Model, Passed, Woven};

const OUTER: Passed = Passed::Field("this$0", "Ljava/util/WeakHashMap;");

const VIEW: &[Look] = &[Look::WalkedIterator, Look::WalkedSpliterator];

pub(super) static MODEL: Model = Model {
    name: "java.util.WeakHashMap",
    kind: ChoiceKind::Permute,
    by_content: false,
    classes: &[
        // The helper that walks both reads this.
        Woven { class: "java/util/Hashtable", fields: &[("modCount", "I")], ..Woven::ONLY_READ },
        Woven {
            class: "java/util/WeakHashMap",
            fields: &[("modCount", "I")],
            looks: &[Look::ForEachPair, Look::ReplaceAll],
            ..Woven::ONLY_READ
        },
        Woven {
            class: "java/util/WeakHashMap$KeySet",
            looks: VIEW,
            of: OUTER,
            others: &["size", "clear", "contains", "remove"],
            ..Woven::ONLY_READ
        },
        Woven {
            class: "java/util/WeakHashMap$Values",
            looks: VIEW,
            of: OUTER,
            others: &["size", "clear", "contains"],
            ..Woven::ONLY_READ
        },
        Woven {
            class: "java/util/WeakHashMap$EntrySet",
            looks: VIEW,
            of: OUTER,
            // Arrays are filled by way of the iterator.
            others: &["size", "clear", "contains", "remove", "toArray"],
            ..Woven::ONLY_READ
        },
    ],
};
