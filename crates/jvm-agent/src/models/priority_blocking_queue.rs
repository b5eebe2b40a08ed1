//! PriorityBlockingQueue.
//!
//! "The Iterator provided in method iterator() and the Spliterator provided in method spliterator() are not guaranteed to traverse
//! the elements of the PriorityBlockingQueue in any particular order." (`java.util.concurrent.PriorityBlockingQueue`; of
//! `toArray`: "The returned array elements are in no particular order.")
//!
//! Iterators, spliterators and text go by way of `toArray`. `drainTo`, which has an order, does not.

use surefoot_model::ChoiceKind;

use super::{Method, Model, Passed, Weaving, Woven};

const fn to_array(descriptor: &'static str) -> Method {
    Method {
        name: "toArray",
        descriptor,
        weaving: Weaving::Returned,
        helper: "java/util/SurefootArrays",
        helper_method: "queue",
        helper_descriptor: "([Ljava/lang/Object;Ljava/lang/Object;I)[Ljava/lang/Object;",
        passed: &[Passed::This, Passed::Model],
        required: true,
    }
}

pub(super) static MODEL: Model = Model {
    name: "java.util.concurrent.PriorityBlockingQueue",
    kind: ChoiceKind::Permute,
    by_content: false,
    classes: &[Woven {
        class: "java/util/concurrent/PriorityBlockingQueue",
        methods: &[
            to_array("()[Ljava/lang/Object;"),
            to_array("([Ljava/lang/Object;)[Ljava/lang/Object;"),
            Method {
                name: "forEach",
                descriptor: "(Ljava/util/function/Consumer;)V",
                weaving: Weaving::Substitute,
                helper: "java/util/SurefootArrays",
                helper_method: "forEach",
                helper_descriptor: "(Ljava/lang/Object;Ljava/util/function/Consumer;I)Z",
                passed: &[Passed::This, Passed::Parameter, Passed::Model],
                required: false,
            },
        ],
        ..Woven::ONLY_READ
    }],
};
