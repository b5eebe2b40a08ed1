//! The collections of Java's library, and what else of it changes when it is merely used, with the fields that they have in JDK 11 to 25.
//!
//! Dropped are counters, capacities, locks, and views that are made on demand (`keySet`, `values`, `entrySet`). A field has
//! its plain name; one that a subclass hides is called after its class (`java.util.AbstractMap.keySet`).

use crate::abstraction::{RingEnd, Shape};

type Row = (&'static str, Shape<&'static str>, &'static [&'static str]);

const HASH_MAP: Shape<&str> = Shape::HashTable {
    table: "table",
    next: "next",
    key: "key",
    value: "value",
    bin: None,
    moved: None,
    weak: false,
};

pub(super) const TABLE: &[Row] = &[
    // The array is mostly longer than the list.
    (
        "java.util.ArrayList",
        Shape::Sequence { array: "elementData", size: Some("size") },
        &["modCount"],
    ),
    (
        "java.util.Vector",
        Shape::Sequence { array: "elementData", size: Some("elementCount") },
        &["modCount", "capacityIncrement"],
    ),
    (
        "java.util.Stack",
        Shape::Sequence { array: "elementData", size: Some("elementCount") },
        &["modCount", "capacityIncrement"],
    ),
    // What Arrays.asList returns: `list.a[2]` would be the array's name, not the list's.
    ("java.util.Arrays$ArrayList", Shape::Sequence { array: "a", size: None }, &["modCount"]),
    (
        "java.util.ImmutableCollections$ListN",
        Shape::Sequence { array: "elements", size: None },
        &[],
    ),
    // Every change is a new array; the lock says nothing.
    (
        "java.util.concurrent.CopyOnWriteArrayList",
        Shape::Sequence { array: "array", size: None },
        &["lock"],
    ),
    ("java.util.concurrent.CopyOnWriteArraySet", Shape::Delegate { to: "al" }, &[]),
    (
        "java.util.LinkedList",
        Shape::Chain { first: "first", next: "next", item: "item", gaps: false },
        &["modCount", "size", "last"],
    ),
    // Where the elements begin in the array depends on what was there before.
    (
        "java.util.ArrayDeque",
        Shape::Ring { array: "elements", head: "head", end: RingEnd::Tail("tail") },
        &[],
    ),
    (
        "java.util.concurrent.ArrayBlockingQueue",
        Shape::Ring { array: "items", head: "takeIndex", end: RingEnd::Count("count") },
        &["putIndex", "lock", "notEmpty", "notFull", "itrs"],
    ),
    // The first node is a dummy; `count` is an object that follows from the elements.
    (
        "java.util.concurrent.LinkedBlockingQueue",
        Shape::Chain { first: "head", next: "next", item: "item", gaps: true },
        &["last", "count", "takeLock", "notEmpty", "putLock", "notFull"],
    ),
    (
        "java.util.concurrent.LinkedBlockingDeque",
        Shape::Chain { first: "first", next: "next", item: "item", gaps: true },
        &["last", "count", "lock", "notEmpty", "notFull"],
    ),
    // Head and tail lag behind, by luck.
    (
        "java.util.concurrent.ConcurrentLinkedQueue",
        Shape::Chain { first: "head", next: "next", item: "item", gaps: true },
        &["tail"],
    ),
    // The array is a heap: its order, beyond the first element, depends on the history and is not promised.
    ("java.util.PriorityQueue", Shape::Bag { array: "queue", size: Some("size") }, &["modCount"]),
    (
        "java.util.concurrent.PriorityBlockingQueue",
        Shape::Bag { array: "queue", size: Some("size") },
        &["lock", "notEmpty", "allocationSpinLock", "q"],
    ),
    // Which bucket an entry is in depends on the capacity, and its place there on the history.
    (
        "java.util.HashMap",
        HASH_MAP,
        &["modCount", "size", "threshold", "loadFactor", "keySet", "values", "entrySet"],
    ),
    (
        "java.util.Hashtable",
        HASH_MAP,
        &["modCount", "count", "threshold", "loadFactor", "keySet", "values", "entrySet"],
    ),
    // Since JDK 9 all entries are in a map of its own; what it inherits of Hashtable is unused.
    (
        "java.util.Properties",
        Shape::Delegate { to: "map" },
        &["table", "modCount", "count", "threshold", "loadFactor", "keySet", "values", "entrySet"],
    ),
    // Buckets with many entries are trees, whose nodes also form a chain. While the table grows, the map is left as it is.
    (
        "java.util.concurrent.ConcurrentHashMap",
        Shape::HashTable {
            table: "table",
            next: "next",
            key: "key",
            value: "val",
            bin: Some("first"),
            moved: Some("nextTable"),
            weak: false,
        },
        &[
            "nextTable",
            "baseCount",
            "sizeCtl",
            "transferIndex",
            "cellsBusy",
            "counterCells",
            "keySet",
            "values",
            "entrySet",
            "java.util.AbstractMap.keySet",
            "java.util.AbstractMap.values",
        ],
    ),
    // An entry whose key was collected is not there for anyone who asks.
    (
        "java.util.WeakHashMap",
        Shape::HashTable {
            table: "table",
            next: "next",
            key: "referent",
            value: "value",
            bin: None,
            moved: None,
            weak: true,
        },
        &["modCount", "size", "threshold", "loadFactor", "queue", "keySet", "values", "entrySet"],
    ),
    // The order of insertion, or of access, is what iteration shows.
    (
        "java.util.LinkedHashMap",
        Shape::LinkedMap { head: "head", after: "after", key: "key", value: "value" },
        &[
            "table",
            "tail",
            "modCount",
            "size",
            "threshold",
            "loadFactor",
            "keySet",
            "values",
            "entrySet",
            "putMode",
        ],
    ),
    // The order follows from keys and comparator, the shape of the tree from the history.
    (
        "java.util.TreeMap",
        Shape::Tree { root: "root", left: "left", right: "right", key: "key", value: "value" },
        &["modCount", "size", "entrySet", "navigableKeySet", "descendingMap", "keySet", "values"],
    ),
    // The index above the chain is random.
    (
        "java.util.concurrent.ConcurrentSkipListMap",
        Shape::SkipList { head: "head", node: "node", next: "next", key: "key", value: "val" },
        &[
            "adder",
            "keySet",
            "values",
            "entrySet",
            "descendingMap",
            "java.util.AbstractMap.keySet",
            "java.util.AbstractMap.values",
        ],
    ),
    // Open addressing by identity hash codes.
    (
        "java.util.IdentityHashMap",
        Shape::Pairs { table: "table" },
        &["modCount", "size", "keySet", "values", "entrySet"],
    ),
    // Open addressing with a salt.
    (
        "java.util.ImmutableCollections$MapN",
        Shape::Pairs { table: "table" },
        &["size", "keySet", "values"],
    ),
    (
        "java.util.ImmutableCollections$SetN",
        Shape::Bag { array: "elements", size: None },
        &["size"],
    ),
    // Values by the ordinals of their keys.
    (
        "java.util.EnumMap",
        Shape::Parallel { keys: "keyUniverse", values: "vals" },
        &["size", "entrySet", "keySet", "values"],
    ),
    // Bits by the ordinals of the members. (JumboEnumSet, above 64 constants, is left as it is.)
    ("java.util.RegularEnumSet", Shape::Bits { bits: "elements", universe: "universe" }, &[]),
    // Sets that are maps without values.
    ("java.util.HashSet", Shape::Set { map: "map" }, &[]),
    ("java.util.LinkedHashSet", Shape::Set { map: "map" }, &[]),
    ("java.util.TreeSet", Shape::Set { map: "m" }, &[]),
    ("java.util.concurrent.ConcurrentSkipListSet", Shape::Set { map: "m" }, &[]),
    ("java.util.Collections$SetFromMap", Shape::Set { map: "m" }, &["s"]),
    ("java.util.concurrent.ConcurrentHashMap$KeySetView", Shape::Set { map: "map" }, &["value"]),
    // "All of the calendar's date-time fields are cleared before parsing", and formatting sets them to the date.
    (
        "java.text.SimpleDateFormat",
        Shape::WorksIn {
            other: "calendar",
            settings: ["zone", "lenient", "firstDayOfWeek", "minimalDaysInFirstWeek"],
        },
        &["zeroDigit", "hasFollowingMinusSign", "forceStandaloneForm"],
    ),
    // The digits of the number that was formatted last, and a copy of the settings that makes it quicker.
    (
        "java.text.DecimalFormat",
        Shape::Plain,
        &["digitList", "fastPathData", "isFastPath", "fastPathCheckNeeded"],
    ),
    // Entries that a program holds on to: how a map links them is the map's business.
    ("java.util.HashMap$Node", Shape::Plain, &["hash", "next"]),
    (
        "java.util.HashMap$TreeNode",
        Shape::Plain,
        &["hash", "next", "before", "after", "parent", "left", "right", "prev", "red"],
    ),
    ("java.util.LinkedHashMap$Entry", Shape::Plain, &["hash", "next", "before", "after"]),
    ("java.util.Hashtable$Entry", Shape::Plain, &["hash", "next"]),
    ("java.util.TreeMap$Entry", Shape::Plain, &["left", "right", "parent", "color"]),
    ("java.util.concurrent.ConcurrentHashMap$Node", Shape::Plain, &["hash", "next"]),
    ("java.util.concurrent.ConcurrentHashMap$MapEntry", Shape::Plain, &["map"]),
];
