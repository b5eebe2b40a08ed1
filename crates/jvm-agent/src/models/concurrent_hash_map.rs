//! ConcurrentHashMap, its views, and Properties, which keep their entries in one.
//!
//! "Similarly, Iterators, Spliterators and Enumerations return elements reflecting the state of the hash table at some point at
//! or since the creation of the iterator/enumeration." Of an order nothing is said, and of its text: "in no particular order".
//! What is promised is kept: elements are traversed "as they existed upon construction exactly once"
//! (`java.util.concurrent`, Weakly consistent).
//!
//! Of bulk operations (`forEach`, `search`, `reduce` and the like, with a parallelism threshold) it says that their functions "should not depend on any
//! ordering". Those that go through the table by themselves are shown another order; where several do, in parallel, any order may come up anyway.

use surefoot_model::ChoiceKind;

use super::look::{ENTRIES, KEYS, Look, VALUES};
use super::{Method, Model, Passed, Weaving, Woven};

const VIEW: &[Look] = &[Look::Iterator, Look::Spliterator, Look::ForEach];

pub(super) static MODEL: Model = Model {
    name: "java.util.concurrent.ConcurrentHashMap",
    kind: ChoiceKind::Permute,
    by_content: false,
    classes: &[
        Woven {
            class: "java/util/concurrent/ConcurrentHashMap$Node",
            fields: &[("hash", "I"), ("key", "Ljava/lang/Object;"), ("val", "Ljava/lang/Object;")],
            calls: &[(
                "<init>",
                "(ILjava/lang/Object;Ljava/lang/Object;Ljava/util/concurrent/ConcurrentHashMap$Node;)V",
            )],
            ..Woven::ONLY_READ
        },
        Woven {
            class: "java/util/concurrent/ConcurrentHashMap$BulkTask",
            fields: &[
                ("tab", "[Ljava/util/concurrent/ConcurrentHashMap$Node;"),
                ("next", "Ljava/util/concurrent/ConcurrentHashMap$Node;"),
                ("stack", "Ljava/util/concurrent/ConcurrentHashMap$TableStack;"),
                ("index", "I"),
                ("baseIndex", "I"),
                ("baseLimit", "I"),
            ],
            methods: &[Method {
                name: "advance",
                descriptor: "()Ljava/util/concurrent/ConcurrentHashMap$Node;",
                weaving: Weaving::Before,
                helper: "java/util/concurrent/SurefootConcurrentHashMap",
                helper_method: "bulk",
                helper_descriptor: "(Ljava/lang/Object;I)V",
                passed: &[Passed::This, Passed::Model],
                required: true,
            }],
            ..Woven::ONLY_READ
        },
        Woven {
            class: "java/util/concurrent/ConcurrentHashMap$Traverser",
            calls: &[
                ("<init>", "([Ljava/util/concurrent/ConcurrentHashMap$Node;III)V"),
                ("advance", "()Ljava/util/concurrent/ConcurrentHashMap$Node;"),
            ],
            ..Woven::ONLY_READ
        },
        Woven {
            class: "java/util/concurrent/ConcurrentHashMap$MapEntry",
            calls: &[(
                "<init>",
                "(Ljava/lang/Object;Ljava/lang/Object;Ljava/util/concurrent/ConcurrentHashMap;)V",
            )],
            ..Woven::ONLY_READ
        },
        Woven {
            class: "java/util/concurrent/ConcurrentHashMap$CollectionView",
            fields: &[("map", "Ljava/util/concurrent/ConcurrentHashMap;")],
            others: &[
                "getMap",
                "clear",
                "size",
                "isEmpty",
                "iterator",
                "contains",
                "remove",
                "toArray",
                "toString",
                "containsAll",
                "removeAll",
                "retainAll",
            ],
            ..Woven::ONLY_READ
        },
        Woven {
            class: "java/util/concurrent/ConcurrentHashMap",
            fields: &[("table", "[Ljava/util/concurrent/ConcurrentHashMap$Node;")],
            calls: &[(
                "replaceNode",
                "(Ljava/lang/Object;Ljava/lang/Object;Ljava/lang/Object;)Ljava/lang/Object;",
            )],
            looks: &[Look::ForEachPair, Look::ReplaceAll, Look::Keys, Look::Elements],
            methods: &[Method {
                name: "toString",
                descriptor: "()Ljava/lang/String;",
                weaving: Weaving::Alternative {
                    value: "text",
                    descriptor: "(Ljava/lang/Object;I)Ljava/lang/String;",
                },
                helper: "java/util/SurefootLooks",
                helper_method: "isArranged",
                helper_descriptor: "(Ljava/lang/Object;I)Z",
                passed: &[Passed::This, Passed::Model],
                required: true,
            }],
            ..Woven::ONLY_READ
        },
        Woven {
            class: "java/util/concurrent/ConcurrentHashMap$KeySetView",
            looks: VIEW,
            view: KEYS,
            others: &[
                "getMappedValue",
                "contains",
                "remove",
                "add",
                "addAll",
                "hashCode",
                "equals",
                "removeAll",
                "getMap",
            ],
            ..Woven::ONLY_READ
        },
        Woven {
            class: "java/util/concurrent/ConcurrentHashMap$ValuesView",
            looks: VIEW,
            view: VALUES,
            others: &["contains", "remove", "add", "addAll", "removeAll", "removeIf"],
            ..Woven::ONLY_READ
        },
        Woven {
            class: "java/util/concurrent/ConcurrentHashMap$EntrySetView",
            looks: VIEW,
            view: ENTRIES,
            others: &["contains", "remove", "add", "addAll", "removeIf", "hashCode", "equals"],
            ..Woven::ONLY_READ
        },
    ],
};
