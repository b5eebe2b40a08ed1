//! What Set.of, Set.copyOf, Map.of, Map.copyOf and unmodifiable collectors return.
//!
//! "The iteration order of set elements is unspecified and is subject to change." (`java.util.Set`, Unmodifiable Sets; the same
//! of mappings in `java.util.Map`.)
//!
//! `toArray` of larger sets, and all other looks at them and at maps, go by way of the iterator.

use super::{Method, Model, Passed, Weaving, Woven};

const HELPER: &str = "java/util/SurefootImmutable";

pub(super) static MODEL: Model = Model {
    name: "java.util.Set.of",
    by_content: false,
    classes: &[
        Woven {
            class: "java/util/ImmutableCollections$Set12",
            fields: &[],
            calls: &[],
            methods: &[
                Method {
                    name: "iterator",
                    descriptor: "()Ljava/util/Iterator;",
                    weaving: Weaving::Returned,
                    helper: HELPER,
                    helper_method: "iterator",
                    helper_descriptor: "(Ljava/util/Iterator;Ljava/lang/Object;I)Ljava/util/Iterator;",
                    passed: &[Passed::This, Passed::Model],
                    required: true,
                },
                Method {
                    name: "toArray",
                    descriptor: "()[Ljava/lang/Object;",
                    weaving: Weaving::Returned,
                    helper: HELPER,
                    helper_method: "array",
                    helper_descriptor: "([Ljava/lang/Object;Ljava/lang/Object;I)[Ljava/lang/Object;",
                    passed: &[Passed::This, Passed::Model],
                    required: false,
                },
                Method {
                    name: "toArray",
                    descriptor: "([Ljava/lang/Object;)[Ljava/lang/Object;",
                    weaving: Weaving::Returned,
                    helper: HELPER,
                    helper_method: "array",
                    helper_descriptor: "([Ljava/lang/Object;Ljava/lang/Object;I)[Ljava/lang/Object;",
                    passed: &[Passed::This, Passed::Model],
                    required: false,
                },
                Method {
                    name: "forEach",
                    descriptor: "(Ljava/util/function/Consumer;)V",
                    weaving: Weaving::Substitute,
                    helper: HELPER,
                    helper_method: "forEach",
                    helper_descriptor: "(Ljava/lang/Object;Ljava/util/function/Consumer;I)Z",
                    passed: &[Passed::This, Passed::Parameter, Passed::Model],
                    required: false,
                },
                Method {
                    name: "spliterator",
                    descriptor: "()Ljava/util/Spliterator;",
                    weaving: Weaving::Returned,
                    helper: HELPER,
                    helper_method: "spliterator",
                    helper_descriptor: "(Ljava/util/Spliterator;Ljava/lang/Object;I)Ljava/util/Spliterator;",
                    passed: &[Passed::This, Passed::Model],
                    required: false,
                },
            ],
            others: &["size", "isEmpty", "contains", "hashCode"],
        },
        Woven {
            class: "java/util/ImmutableCollections$SetN",
            fields: &[],
            calls: &[],
            methods: &[Method {
                name: "iterator",
                descriptor: "()Ljava/util/Iterator;",
                weaving: Weaving::Returned,
                helper: HELPER,
                helper_method: "iterator",
                helper_descriptor: "(Ljava/util/Iterator;Ljava/lang/Object;I)Ljava/util/Iterator;",
                passed: &[Passed::This, Passed::Model],
                required: true,
            }],
            others: &["size", "isEmpty", "contains", "hashCode", "toArray"],
        },
        Woven {
            class: "java/util/ImmutableCollections$MapN$1",
            fields: &[("this$0", "Ljava/util/ImmutableCollections$MapN;")],
            calls: &[],
            methods: &[Method {
                name: "iterator",
                descriptor: "()Ljava/util/Iterator;",
                weaving: Weaving::Returned,
                helper: HELPER,
                helper_method: "iterator",
                helper_descriptor: "(Ljava/util/Iterator;Ljava/lang/Object;I)Ljava/util/Iterator;",
                passed: &[
                    Passed::Field("this$0", "Ljava/util/ImmutableCollections$MapN;"),
                    Passed::Model,
                ],
                required: true,
            }],
            others: &["size"],
        },
    ],
};
