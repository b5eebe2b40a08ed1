//! What Set.of, Set.copyOf, Map.of, Map.copyOf and unmodifiable collectors return.
//!
//! "The iteration order of set elements is unspecified and is subject to change." (`java.util.Set`, Unmodifiable Sets; the same
//! of mappings in `java.util.Map`.)
//!
//! `toArray` of larger sets, and all other looks at them and at maps, go by way of the iterator.

use surefoot_model::ChoiceKind;

use super::{Method, Model, Passed, Weaving, Woven};

const HELPER: &str = "java/util/SurefootImmutable";

const fn returned(
    name: &'static str,
    descriptor: &'static str,
    helper_method: &'static str,
    helper_descriptor: &'static str,
    required: bool,
) -> Method {
    Method {
        name,
        descriptor,
        weaving: Weaving::Returned,
        helper: HELPER,
        helper_method,
        helper_descriptor,
        passed: &[Passed::This, Passed::Model],
        required,
    }
}

const ITERATOR: Method = returned(
    "iterator",
    "()Ljava/util/Iterator;",
    "iterator",
    "(Ljava/util/Iterator;Ljava/lang/Object;I)Ljava/util/Iterator;",
    true,
);

const fn to_array(descriptor: &'static str) -> Method {
    let helper = "([Ljava/lang/Object;Ljava/lang/Object;I)[Ljava/lang/Object;";
    returned("toArray", descriptor, "array", helper, false)
}

pub(super) static MODEL: Model = Model {
    name: "java.util.Set.of",
    kind: ChoiceKind::Permute,
    by_content: false,
    classes: &[
        Woven {
            class: "java/util/ImmutableCollections$Set12",
            methods: &[
                ITERATOR,
                to_array("()[Ljava/lang/Object;"),
                to_array("([Ljava/lang/Object;)[Ljava/lang/Object;"),
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
                returned(
                    "spliterator",
                    "()Ljava/util/Spliterator;",
                    "spliterator",
                    "(Ljava/util/Spliterator;Ljava/lang/Object;I)Ljava/util/Spliterator;",
                    false,
                ),
            ],
            others: &["size", "isEmpty", "contains", "hashCode"],
            ..Woven::ONLY_READ
        },
        Woven {
            class: "java/util/ImmutableCollections$SetN",
            methods: &[ITERATOR],
            others: &["size", "isEmpty", "contains", "hashCode", "toArray"],
            ..Woven::ONLY_READ
        },
        Woven {
            class: "java/util/ImmutableCollections$MapN$1",
            fields: &[("this$0", "Ljava/util/ImmutableCollections$MapN;")],
            methods: &[Method {
                passed: &[
                    Passed::Field("this$0", "Ljava/util/ImmutableCollections$MapN;"),
                    Passed::Model,
                ],
                ..ITERATOR
            }],
            others: &["size"],
            ..Woven::ONLY_READ
        },
    ],
};
