//! PriorityQueue, and DelayQueue, which is made of one.
//!
//! "The Iterator provided in method iterator() and the Spliterator provided in method spliterator() are not guaranteed to traverse
//! the elements of the priority queue in any particular order." (`java.util.PriorityQueue`; of `toArray`: "The elements are in no
//! particular order.")

use surefoot_model::ChoiceKind;

use super::look::Look;
use super::{Model, Woven};

pub(super) static MODEL: Model = Model {
    name: "java.util.PriorityQueue",
    kind: ChoiceKind::Permute,
    by_content: false,
    classes: &[Woven {
        class: "java/util/PriorityQueue",
        fields: &[("queue", "[Ljava/lang/Object;"), ("size", "I"), ("modCount", "I")],
        calls: &[("removeEq", "(Ljava/lang/Object;)V")],
        looks: &[
            Look::Iterator,
            Look::Spliterator,
            Look::ToArray,
            Look::ToTypedArray,
            Look::ForEach,
        ],
        others: &[
            "add",
            "offer",
            "peek",
            "remove",
            "contains",
            "size",
            "clear",
            "poll",
            "comparator",
            "removeIf",
            "removeAll",
            "retainAll",
            "<init>",
        ],
        ..Woven::ONLY_READ
    }],
};
