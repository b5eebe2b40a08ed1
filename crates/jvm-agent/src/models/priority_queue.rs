//! PriorityQueue, and DelayQueue, which is made of one.
//!
//! "The Iterator provided in method iterator() and the Spliterator provided in method spliterator() are not guaranteed to traverse
//! the elements of the priority queue in any particular order." (`java.util.PriorityQueue`; of `toArray`: "The elements are in no
//! particular order.")

use super::{Method, Model, Passed, Weaving, Woven};

const HELPER: &str = "java/util/SurefootPriorityQueue";

pub(super) static MODEL: Model = Model {
    name: "java.util.PriorityQueue",
    by_content: false,
    classes: &[Woven {
        class: "java/util/PriorityQueue",
        fields: &[("queue", "[Ljava/lang/Object;"), ("size", "I"), ("modCount", "I")],
        calls: &[("removeEq", "(Ljava/lang/Object;)V")],
        methods: &[
            Method {
                name: "iterator",
                descriptor: "()Ljava/util/Iterator;",
                weaving: Weaving::Returned,
                helper: HELPER,
                helper_method: "iterator",
                helper_descriptor: "(Ljava/util/Iterator;Ljava/util/PriorityQueue;I)Ljava/util/Iterator;",
                passed: &[Passed::This, Passed::Model],
                required: true,
            },
            Method {
                name: "spliterator",
                descriptor: "()Ljava/util/Spliterator;",
                weaving: Weaving::Returned,
                helper: HELPER,
                helper_method: "spliterator",
                helper_descriptor: "(Ljava/util/Spliterator;Ljava/util/PriorityQueue;I)Ljava/util/Spliterator;",
                passed: &[Passed::This, Passed::Model],
                required: true,
            },
            Method {
                name: "toArray",
                descriptor: "()[Ljava/lang/Object;",
                weaving: Weaving::Returned,
                helper: HELPER,
                helper_method: "array",
                helper_descriptor: "([Ljava/lang/Object;Ljava/util/PriorityQueue;I)[Ljava/lang/Object;",
                passed: &[Passed::This, Passed::Model],
                required: true,
            },
            Method {
                name: "toArray",
                descriptor: "([Ljava/lang/Object;)[Ljava/lang/Object;",
                weaving: Weaving::Returned,
                helper: HELPER,
                helper_method: "array",
                helper_descriptor: "([Ljava/lang/Object;Ljava/util/PriorityQueue;I)[Ljava/lang/Object;",
                passed: &[Passed::This, Passed::Model],
                required: true,
            },
            Method {
                name: "forEach",
                descriptor: "(Ljava/util/function/Consumer;)V",
                weaving: Weaving::Substitute,
                helper: HELPER,
                helper_method: "forEach",
                helper_descriptor: "(Ljava/util/PriorityQueue;Ljava/util/function/Consumer;I)Z",
                passed: &[Passed::This, Passed::Parameter, Passed::Model],
                required: false,
            },
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
    }],
};
