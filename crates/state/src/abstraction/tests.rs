use super::*;
use crate::names::Names;
use crate::samples::State;

/// The triples of the object at root `A.x` as Java's rules see it.
fn seen(raw: &str) -> Vec<String> {
    let mut state = State::new();
    let rules = Rules::java(&mut state.names);
    let lines = state.abstracted(&rules, raw);
    lines.into_iter().skip(1).collect()
}

/// What differs between two states, as Java's rules see them.
fn told(before: &str, after: &str) -> Vec<String> {
    let mut state = State::new();
    let rules = Rules::java(&mut state.names);
    let before = rules.apply(&state.graph(before));
    let after = rules.apply(&state.graph(after));
    state.between(&before, &after)
}

#[test]
fn the_capacity_of_an_array_list_is_no_state() {
    let small = "A.x = @l\n @l java.util.ArrayList: size=2 modCount=2 elementData=@e
                 @e Object[]: [0]=\"a\" [1]=@p\n @p Item: n=1";
    let large = "A.x = @l\n @l java.util.ArrayList: size=2 modCount=9 elementData=@e
                 @e Object[]: [0]=\"a\" [1]=@p [2]=null [3]=null\n @p Item: n=1";
    assert_eq!(
        seen(small),
        ["(ArrayList#1, [0], \"a\")", "(ArrayList#1, [1], Item#1)", "(Item#1, n, 1)"]
    );
    assert_eq!(told(small, large), [""; 0]);
}

#[test]
fn nulls_that_the_capture_left_out_are_elements() {
    let list = "A.x = @l\n @l java.util.ArrayList: size=2 elementData=@e\n @e Object[]: [1]=1";
    assert_eq!(seen(list), ["(ArrayList#1, [0], null)", "(ArrayList#1, [1], 1)"]);
}

#[test]
fn a_ring_begins_at_its_head() {
    let ring = "A.x = @d\n @d java.util.ArrayDeque: elements=@e head=2 tail=1
                @e Object[]: [0]=\"c\" [2]=\"a\" [3]=\"b\"";
    let lines =
        ["(ArrayDeque#1, [0], \"a\")", "(ArrayDeque#1, [1], \"b\")", "(ArrayDeque#1, [2], \"c\")"];
    assert_eq!(seen(ring), lines);
    let straight = "A.x = @d\n @d java.util.ArrayDeque: elements=@e head=0 tail=3
                    @e Object[]: [0]=\"a\" [1]=\"b\" [2]=\"c\"";
    assert_eq!(told(ring, straight), [""; 0]);
    let counted =
        "A.x = @d\n @d java.util.concurrent.ArrayBlockingQueue: items=@e takeIndex=1 count=2
                   @e Object[]: [0]=\"b\" [1]=\"a\"";
    assert_eq!(seen(counted).len(), 2);
}

#[test]
fn a_linked_list_is_its_elements() {
    let list = "A.x = @l\n @l java.util.LinkedList: size=2 first=@m last=@n modCount=2
                @m java.util.LinkedList$Node: item=\"a\" next=@n prev=null
                @n java.util.LinkedList$Node: item=null next=null prev=@m";
    assert_eq!(seen(list), ["(LinkedList#1, [0], \"a\")", "(LinkedList#1, [1], null)"]);
}

#[test]
fn the_dummy_of_a_queue_is_no_element() {
    let queue = "A.x = @q\n @q java.util.concurrent.LinkedBlockingQueue: head=@m last=@n capacity=9
                 @m Node: item=null next=@n\n @n Node: item=\"a\" next=null";
    let name = "LinkedBlockingQueue#1";
    assert_eq!(seen(queue), [format!("({name}, capacity, 9)"), format!("({name}, [0], \"a\")")]);
}

#[test]
fn the_heap_of_a_priority_queue_has_no_order() {
    let queue = |a: &str, b: &str| {
        format!(
            "A.x = @q\n @q java.util.PriorityQueue: size=3 comparator=null queue=@e
             @e Object[]: [0]=1 [1]={a} [2]={b} [3]=null"
        )
    };
    assert_eq!(told(&queue("2", "3"), &queue("3", "2")), [""; 0]);
    assert_eq!(told(&queue("2", "3"), &queue("2", "4")), ["A.x[3]: removed", "A.x[4]: added"]);
}

#[test]
fn a_hash_map_is_its_entries() {
    let map = "A.x = @m\n @m java.util.HashMap: size=2 threshold=12 table=@t
               @t Node[]: [3]=@n\n @n java.util.HashMap$Node: hash=3 key=\"a\" value=1 next=@o
               @o java.util.HashMap$Node: hash=19 key=\"b\" value=@p next=null\n @p Item: n=1";
    let grown = "A.x = @m\n @m java.util.HashMap: size=2 threshold=24 table=@t entrySet=@v
                 @t Node[]: [0]=null [3]=@n [19]=@o\n @v View: map=@m
                 @n java.util.HashMap$Node: hash=3 key=\"a\" value=1 next=null
                 @o java.util.HashMap$Node: hash=19 key=\"b\" value=@p next=null\n @p Item: n=1";
    assert_eq!(
        seen(map),
        ["(HashMap#1, [\"a\"], 1)", "(HashMap#1, [\"b\"], Item#1)", "(Item#1, n, 1)"]
    );
    assert_eq!(told(map, grown), [""; 0]);
    let empty = "A.x = @m\n @m java.util.HashMap: size=0 table=null";
    assert_eq!(told(map, empty), ["A.x[\"a\"]: removed 1", "A.x[\"b\"]: removed Item"]);
}

#[test]
fn entries_with_object_keys_have_no_order() {
    let map = |first: &str, second: &str| {
        format!(
            "A.x = @m\n @m java.util.HashMap: table=@t\n @t Node[]: [0]=@{first} [1]=@{second}
             @e java.util.HashMap$Node: key=@k value=1\n @f java.util.HashMap$Node: key=@l value=2
             @k Key: n=1\n @l Key: n=2"
        )
    };
    assert_eq!(
        seen(&map("e", "f")),
        [
            "(HashMap#1, {entry}, entry#1)",
            "(HashMap#1, {entry}, entry#2)",
            "(entry#1, key, Key#1)",
            "(entry#1, value, 1)",
            "(entry#2, key, Key#2)",
            "(entry#2, value, 2)",
            "(Key#1, n, 1)",
            "(Key#2, n, 2)",
        ]
    );
    assert_eq!(told(&map("e", "f"), &map("f", "e")), [""; 0]);
}

#[test]
fn trees_in_a_concurrent_map_are_chains_too() {
    let map = "A.x = @m\n @m java.util.concurrent.ConcurrentHashMap: table=@t sizeCtl=12
               @t Node[]: [0]=@b [1]=@n\n @b TreeBin: key=null val=null first=@o root=@o
               @o TreeNode: key=\"a\" val=1 next=@p\n @p TreeNode: key=\"b\" val=2 next=null
               @n Node: key=\"c\" val=3 next=null";
    let name = "ConcurrentHashMap#1";
    let entries = [("a", 1), ("b", 2), ("c", 3)];
    assert_eq!(seen(map), entries.map(|(key, value)| format!("({name}, [{key:?}], {value})")));
}

#[test]
fn a_table_that_is_being_moved_is_left_as_it_is() {
    let map = "A.x = @m\n @m java.util.concurrent.ConcurrentHashMap: table=@t\n @t Node[]: [0]=@f
               @f ForwardingNode: key=null nextTable=@u\n @u Node[]:";
    assert_eq!(seen(map)[0], "(ConcurrentHashMap#1, table, Node[]#1)");
}

#[test]
fn collected_keys_are_no_entries() {
    let map = "A.x = @m\n @m java.util.WeakHashMap: table=@t\n @t Entry[]: [0]=@e [1]=@f
               @e Entry: referent=null value=1\n @f Entry: referent=\"k\" value=2";
    assert_eq!(seen(map), ["(WeakHashMap#1, [\"k\"], 2)"]);
}

/// A LinkedHashMap with these keys in this order.
fn linked(keys: &[&str]) -> String {
    let mut text = String::from("A.x = @m\n@m java.util.LinkedHashMap: accessOrder=false");
    if !keys.is_empty() {
        text += " head=@n0";
    }
    for (at, key) in keys.iter().enumerate() {
        let key = if *key == "object" { "@k".to_owned() } else { format!("{key:?}") };
        text += &format!("\n@n{at} java.util.LinkedHashMap$Entry: key={key} value=1");
        if at + 1 < keys.len() {
            text += &format!(" after=@n{}", at + 1);
        }
    }
    text + "\n@k Key:"
}

#[test]
fn the_order_of_a_linked_map_is_state() {
    assert_eq!(told(&linked(&["a", "b"]), &linked(&["b", "a"])), ["A.x: order changed"]);
    assert_eq!(told(&linked(&["a", "object"]), &linked(&["object", "a"])), ["A.x: order changed"]);
    let lines = told(&linked(&["a", "b", "c"]), &linked(&["b", "c", "d"]));
    assert_eq!(lines, ["A.x[\"a\"]: removed 1", "A.x[\"d\"]: added 1"]);
}

#[test]
fn the_shape_of_a_tree_is_no_state() {
    let left = "A.x = @m\n @m java.util.TreeMap: root=@a comparator=null modCount=3
                @a TreeMap$Entry: key=1 value=1 left=null right=@b\n @b TreeMap$Entry: key=2 value=2";
    let right = "A.x = @m\n @m java.util.TreeMap: root=@b comparator=null modCount=2
                @a TreeMap$Entry: key=1 value=1\n @b TreeMap$Entry: key=2 value=2 left=@a";
    assert_eq!(
        seen(left),
        ["(TreeMap#1, comparator, null)", "(TreeMap#1, [1], 1)", "(TreeMap#1, [2], 2)"]
    );
    assert_eq!(told(left, right), [""; 0]);
}

#[test]
fn a_skip_list_is_its_base() {
    let map = "A.x = @m\n @m java.util.concurrent.ConcurrentSkipListMap: head=@i comparator=null
               @i Index: node=@h right=@j\n @j Index: node=@b
               @h Node: key=null val=null next=@a\n @a Node: key=1 val=\"one\" next=@g
               @g Node: key=9 val=null next=@b\n @b Node: key=2 val=\"two\" next=null";
    let name = "ConcurrentSkipListMap#1";
    assert_eq!(
        seen(map)[1..],
        [format!("({name}, [1], \"one\")"), format!("({name}, [2], \"two\")")]
    );
}

#[test]
fn pairs_of_key_and_value_are_entries() {
    let map = "A.x = @m\n @m java.util.IdentityHashMap: size=2 table=@t
               @t Object[]: [2]=\"a\" [3]=1 [6]=@k [7]=2 [8]=null [9]=null\n @k Key:";
    assert_eq!(
        seen(map),
        [
            "(IdentityHashMap#1, {entry}, entry#1)",
            "(IdentityHashMap#1, [\"a\"], 1)",
            "(entry#1, key, Key#1)",
            "(entry#1, value, 2)",
        ]
    );
}

#[test]
fn collections_of_enum_constants_are_shown_by_their_names() {
    let map = "A.x = @m\n @m java.util.EnumMap: keyType=Color keyUniverse=@u vals=@v size=1
               @u Color[]: [0]=Color.RED [1]=Color.BLUE\n @v Object[]: [0]=null [1]=5";
    assert_eq!(seen(map), ["(EnumMap#1, keyType, Color)", "(EnumMap#1, [Color.BLUE], 5)"]);
    let set = "A.x = @m\n @m java.util.RegularEnumSet: elementType=Color universe=@u elements=2L
               @u Color[]: [0]=Color.RED [1]=Color.BLUE";
    assert_eq!(seen(set)[1..], ["(RegularEnumSet#1, [Color.BLUE], present)"]);
}

#[test]
fn a_set_is_the_keys_of_its_map() {
    let set = "A.x = @s\n @s java.util.HashSet: map=@m\n @m java.util.HashMap: table=@t
               @t Node[]: [0]=@n [1]=@o\n @n java.util.HashMap$Node: key=\"a\" value=@p
               @o java.util.HashMap$Node: key=@k value=@p\n @p Object:\n @k Key:";
    assert_eq!(seen(set), ["(HashSet#1, {member}, Key#1)", "(HashSet#1, [\"a\"], present)"]);
    let linked = linked(&["a", "object"])
        .replace("A.x = @m", "A.x = @s\n@s java.util.LinkedHashSet: map=@m");
    assert_eq!(
        seen(&linked),
        [
            "(LinkedHashSet#1, accessOrder, false)",
            "(LinkedHashSet#1, {member}, Key#1)",
            "(LinkedHashSet#1, #0, \"a\")",
            "(LinkedHashSet#1, #1, Key#1)",
            "(LinkedHashSet#1, [\"a\"], present)",
        ]
    );
}

#[test]
fn properties_are_the_map_inside() {
    let properties = "A.x = @p\n @p java.util.Properties: map=@m defaults=null table=@u count=0
                      @u Entry[]:\n @m java.util.concurrent.ConcurrentHashMap: table=@t
                      @t Node[]: [0]=@n\n @n Node: key=\"user.home\" val=\"/root\"";
    assert_eq!(
        seen(properties),
        ["(Properties#1, defaults, null)", "(Properties#1, [\"user.home\"], \"/root\")"]
    );
}

#[test]
fn a_subclass_keeps_its_own_fields() {
    let mut state = State::new();
    let mut rules = Rules::java(&mut state.names);
    let (own, base) = (state.names.label("Bag"), state.names.label("java.util.ArrayList"));
    rules.inherit(own, base);
    let lines = state.abstracted(
        &rules,
        "A.x = @l\n @l Bag: size=1 modCount=2 elementData=@e weight=7\n @e Object[]: [0]=1",
    );
    assert_eq!(lines[1..], ["(Bag#1, weight, 7)", "(Bag#1, [0], 1)"]);
}

#[test]
fn a_field_can_be_dropped_with_or_without_a_rule() {
    let mut state = State::new();
    let mut rules = Rules::java(&mut state.names);
    let (own, list) = (state.names.label("Own"), state.names.label("java.util.ArrayList"));
    let cache = state.names.label("cache");
    let derived = state.names.label("Derived");
    rules.inherit(derived, list);
    rules.drop_field(own, cache);
    rules.drop_field(derived, cache);
    let mut seen = |class: &str| {
        let raw =
            format!("A.x = @l\n @l {class}: size=1 elementData=@e cache=7\n @e Object[]: [0]=1");
        state.abstracted(&rules, &raw)[1..].to_vec()
    };
    assert_eq!(seen("Derived"), ["(Derived#1, [0], 1)"]);
    assert_eq!(seen("Own").len(), 3);
    assert_eq!(seen("java.util.ArrayList").len(), 2);
}

#[test]
fn an_object_without_the_expected_shape_is_left_as_it_is() {
    let broken = [
        "@l java.util.ArrayList: size=-1 elementData=@l",
        "@l java.util.ArrayList: size=\"many\" elementData=@l",
        "@l java.util.ArrayList: size=9223372036854775807 elementData=@l",
        "@l java.util.ArrayDeque: elements=null head=0 tail=0",
        "@l java.util.LinkedList: first=@n\n @n Node: item=1 next=@n",
        "@l java.util.LinkedHashMap: head=3",
        "@l java.util.TreeMap: root=@n\n @n Entry: key=1 left=@n right=@n",
        "@l java.util.HashSet: map=@l",
        "@l java.util.HashSet: map=@n\n @n Object:",
        "@l java.util.HashMap: table=@n\n @n Node[]: [0]=7",
    ];
    for raw in broken {
        let mut state = State::new();
        let rules = Rules::java(&mut state.names);
        let raw = state.graph(&format!("A.x = @l\n {raw}"));
        assert_eq!(state.between(&raw, &rules.apply(&raw)), [""; 0]);
    }
}

#[test]
fn a_map_that_contains_itself() {
    let map = "A.x = @m\n @m java.util.HashMap: table=@t\n @t Node[]: [0]=@n
               @n java.util.HashMap$Node: key=\"self\" value=@m next=null";
    assert_eq!(seen(map), ["(HashMap#1, [\"self\"], HashMap#1)"]);
}

#[test]
fn an_entry_that_a_program_holds_does_not_show_its_table() {
    let entry = "A.x = @n\n @n java.util.HashMap$Node: hash=3 key=\"a\" value=1 next=@o\n @o Node:";
    assert_eq!(seen(entry), ["(HashMap$Node#1, key, \"a\")", "(HashMap$Node#1, value, 1)"]);
}

#[test]
fn every_java_class_has_one_rule() {
    let mut names = Names::new();
    let rules = Rules::java(&mut names);
    let mut classes: Vec<&str> = java::TABLE.iter().map(|(class, ..)| *class).collect();
    assert!(classes.iter().all(|class| names.find(class).is_some_and(|c| rules.of(c).is_some())));
    classes.sort_unstable();
    classes.dedup();
    assert_eq!(classes.len(), java::TABLE.len());
}

/// To format a date is no change; to set the time zone is.
#[test]
fn what_a_format_works_in_is_no_state_but_its_settings_are() {
    let format = |time: u32, zone: &str| {
        format!(
            "A.x = @f\n @f java.text.SimpleDateFormat: pattern=\"yyyy\" zeroDigit={time} calendar=@c numberFormat=@n
             @c java.util.GregorianCalendar: time={time} lenient=true zone=@z\n @z sun.util.calendar.ZoneInfo: ID=\"{zone}\"
             @n java.text.DecimalFormat: digitList={time} groupingSize=3"
        )
    };
    assert_eq!(
        seen(&format(7, "UTC")),
        [
            "(SimpleDateFormat#1, lenient, true)",
            "(SimpleDateFormat#1, numberFormat, DecimalFormat#1)",
            "(SimpleDateFormat#1, pattern, \"yyyy\")",
            "(SimpleDateFormat#1, zone, ZoneInfo#1)",
            "(DecimalFormat#1, groupingSize, 3)",
            "(ZoneInfo#1, ID, \"UTC\")",
        ]
    );
    assert_eq!(told(&format(7, "UTC"), &format(8, "UTC")), [""; 0]);
    assert_eq!(told(&format(7, "UTC"), &format(7, "CET")), ["A.x.zone.ID: \"UTC\" -> \"CET\""]);
    let without = "A.x = @f\n @f java.text.SimpleDateFormat: pattern=\"yyyy\"";
    assert_eq!(seen(without), ["(SimpleDateFormat#1, pattern, \"yyyy\")"]);
}
