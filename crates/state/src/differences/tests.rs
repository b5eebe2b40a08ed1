use crate::graph::{EdgeLabel, Node};
use crate::samples::State;
use crate::{Graph, GraphBuilder, Names, Value, Verdict, differences};

fn told(before: &str, after: &str) -> Vec<String> {
    State::new().differences(before, after)
}

#[test]
fn the_same_state_has_no_differences() {
    let state = "A.x = @a\n @a Item: n=1 self=@a";
    assert_eq!(told(state, state), [""; 0]);
}

#[test]
fn a_value_changed() {
    assert_eq!(told("A.x = 1", "A.x = 2"), ["A.x: 1 -> 2"]);
    assert_eq!(
        told("A.x = @a\n @a Item: name=\"a\"", "A.x = @a\n @a Item: name=null"),
        ["A.x.name: \"a\" -> null"]
    );
}

#[test]
fn an_object_in_place_of_a_value() {
    assert_eq!(
        told("A.x = null", "A.x = @a\n @a com.acme.List: [0]=1 [1]=2"),
        ["A.x: null -> List of 2"]
    );
}

#[test]
fn an_object_of_another_class() {
    let before = "A.x = @a\n @a Open: n=1";
    let after = "A.x = @a\n @a Closed: n=2";
    assert_eq!(told(before, after), ["A.x: Open -> Closed"]);
}

#[test]
fn fields_elements_and_entries_come_and_go() {
    let before = "A.x = @a\n @a Thing: old=1 [0]=\"a\" <\"k\">=1 <\"l\">=2";
    let after = "A.x = @a\n @a Thing: new=1 [0]=\"a\" [1]=\"b\" <\"l\">=2 <\"m\">=present";
    assert_eq!(
        told(before, after),
        [
            "A.x[1]: added \"b\"",
            "A.x.old: removed 1",
            "A.x.new: added 1",
            "A.x[\"k\"]: removed 1",
            "A.x[\"m\"]: added",
        ]
    );
}

#[test]
fn an_inserted_subtree_is_one_difference() {
    let before = "A.x = @a\n @a Map: <\"k\">=1";
    let after =
        "A.x = @a\n @a Map: <\"k\">=1 <\"new\">=@b\n @b List: [0]=@c [1]=@c\n @c Item: n=1 m=@a";
    assert_eq!(told(before, after), ["A.x[\"new\"]: added List of 2"]);
}

#[test]
fn a_changed_object_is_told_once_by_the_shortest_path() {
    let state = |n: u32| {
        format!(
            "A.deep = @a\n B.short = @c\n @a Item: next=@b\n @b Item: next=@c list=@l
             @l List: [0]=@c [1]=@c\n @c Item: n={n}"
        )
    };
    assert_eq!(told(&state(1), &state(2)), ["B.short.n: 1 -> 2"]);
}

#[test]
fn shorter_paths_come_first() {
    let state = |n: u32| {
        format!(
            "A.x = @a\n A.y = @d\n @a Item: next=@b\n @b Item: next=@c n={n}\n @c Item: n={n}
             @d Item: n={n}"
        )
    };
    assert_eq!(
        told(&state(1), &state(2)),
        ["A.y.n: 1 -> 2", "A.x.next.n: 1 -> 2", "A.x.next.next.n: 1 -> 2"]
    );
}

#[test]
fn payloads_differ_by_content_or_length() {
    let array = |content: &str| format!("A.x = @a\n @a int[]%{content}:");
    assert_eq!(told(&array("abc"), &array("abd")), ["A.x: content of int[] of 3 changed"]);
    assert_eq!(told(&array("abc"), &array("ab")), ["A.x: int[] of 3 -> int[] of 2"]);
}

#[test]
fn a_longer_array_is_told_by_its_elements() {
    let before = "A.x = @a\n @a Object[]%a: [0]=1";
    let after = "A.x = @a\n @a Object[]%ab: [0]=1 [1]=2";
    assert_eq!(told(before, after), ["A.x[1]: added 2"]);
}

#[test]
fn an_object_that_is_no_longer_shared() {
    let before = "A.x = @a\n A.y = @a\n @a Item: n=1";
    let after = "A.x = @a\n A.y = @b\n @a Item: n=1\n @b Item: n=1";
    assert_eq!(told(before, after), ["A.y: was the same object as A.x, now another one"]);
    assert_eq!(told(after, before), ["A.y: was another object, now the same as A.x"]);
}

#[test]
fn identity_says_which_place_has_another_object() {
    let before = "A.x = @a\n B.y = @a\n C.z = @a\n @a Item#1: n=1";
    let after = "A.x = @b\n B.y = @a\n C.z = @a\n @a Item#1: n=1\n @b Item#2: n=1";
    assert_eq!(told(before, after), ["A.x: was the same object as B.y, now another one"]);
}

#[test]
fn a_reference_that_moved_from_one_object_to_another() {
    let state = |current: &str| {
        format!(
            "A.current = @{current}\n A.states = @l\n @l List#9: [0]=@a [1]=@b
             @a State#1: n=1\n @b State#2: n=2"
        )
    };
    assert_eq!(
        told(&state("a"), &state("b")),
        ["A.current: was the same object as A.states[0], now the same as A.states[1]"]
    );
}

#[test]
fn an_object_replaced_by_a_changed_copy_is_told_by_what_changed() {
    let before = "A.x = @a\n @a Config#1: level=1 name=\"n\"";
    let after = "A.x = @a\n @a Config#2: level=2 name=\"n\"";
    assert_eq!(told(before, after), ["A.x.level: 1 -> 2"]);
}

#[test]
fn an_element_inserted_in_front_moves_the_others() {
    let before = "A.x = @l\n @l List: [0]=@a [1]=@b\n @a Item#1: n=1\n @b Item#2: n=2";
    let after = "A.x = @l\n @l List: [0]=@c [1]=@a [2]=@b
                 @a Item#1: n=1\n @b Item#2: n=2\n @c Item#3: n=3";
    assert_eq!(told(before, after), ["A.x[0]: added Item"]);
    assert_eq!(told(after, before), ["A.x[0]: removed Item"]);
}

#[test]
fn an_element_that_moved_and_changed_is_told_by_its_old_place() {
    let before = "A.x = @l\n @l List: [0]=@a [1]=@b\n @a Item#1: n=1\n @b Item#2: n=2";
    let after = "A.x = @l\n @l List: [0]=@c [1]=@a [2]=@b
                 @a Item#1: n=1\n @b Item#2: n=7\n @c Item#3: n=3";
    assert_eq!(told(before, after), ["A.x[0]: added Item", "A.x[1].n: 2 -> 7"]);
}

#[test]
fn a_member_of_a_set_changed_inside() {
    let set = |n: u32| {
        format!(
            "A.x = @s\n @s Set: <@>=@a <@>=@b <@>=@c
             @a com.acme.Item: n=1 at=@s\n @b com.acme.Item: n={n} at=@s\n @c com.acme.Item: n=3 at=@s"
        )
    };
    assert_eq!(told(&set(2), &set(9)), ["A.x{Item}.n: 2 -> 9"]);
}

#[test]
fn members_known_to_be_different_objects_came_and_went() {
    let set = |n: u32| format!("A.x = @s\n @s Set: <@>=@a\n @a com.acme.Item#{n}: n={n}");
    assert_eq!(told(&set(2), &set(9)), ["A.x{Item}: removed Item", "A.x{Item}: added Item"]);
}

#[test]
fn equal_members_are_not_told_whatever_their_identities() {
    let before = "A.x = @s\n @s Set: <@>=@a <@>=@b\n @a Item#1: n=1\n @b Item#2: n=2";
    let after = "A.x = @s\n @s Set: <@>=@a <@>=@b <@>=@c\n @a Item#3: n=1\n @b Item#4: n=2\n @c Item#5: n=5";
    assert_eq!(told(before, after), ["A.x{Item}: added Item"]);
}

#[test]
fn the_value_of_an_object_key_changed() {
    let map = |n: u32, id: u32| {
        format!(
            "A.x = @m\n @m Map: <entry>=@e <entry>=@f
             @e entry#{id}1: key=@k value=1\n @f entry#{id}2: key=@l value={n}
             @k com.acme.Key: n=1\n @l com.acme.Key: n=2"
        )
    };
    assert_eq!(told(&map(5, 1), &map(6, 1)), ["A.x{Key}.value: 5 -> 6"]);
    assert_eq!(told(&map(5, 1), &map(6, 2)), ["A.x{Key}.value: 5 -> 6"]);
}

#[test]
fn an_order_changed() {
    let before = "A.x = @m\n @m Map: <\"a\">=1 <\"b\">=2 ^0=\"a\" ^1=\"b\"";
    let after = "A.x = @m\n @m Map: <\"a\">=1 <\"b\">=2 ^0=\"b\" ^1=\"a\"";
    assert_eq!(told(before, after), ["A.x: order changed"]);
}

#[test]
fn a_new_entry_is_no_change_of_the_order() {
    let before = "A.x = @m\n @m Map: <\"a\">=1 <\"b\">=2 ^0=\"a\" ^1=\"b\"";
    let after = "A.x = @m\n @m Map: <\"a\">=1 <\"b\">=2 <\"c\">=3 ^0=\"c\" ^1=\"a\" ^2=\"b\"";
    assert_eq!(told(before, after), ["A.x[\"c\"]: added 3"]);
}

#[test]
fn a_collection_that_contains_itself() {
    let before = "A.x = @l\n @l List: [0]=@l [1]=1";
    let after = "A.x = @l\n @l List: [0]=@l [1]=2";
    assert_eq!(told(before, after), ["A.x[1]: 1 -> 2"]);
    let set = "A.x = @s\n @s Set: <@>=@s <@>=@a\n @a Item: n=1";
    assert_eq!(told(set, set), [""; 0]);
}

#[test]
fn of_equally_short_paths_the_first_root_by_name_is_told_whichever_was_met_first() {
    let told = |first: &str, second: &str| {
        let mut state = State::new();
        let of = |n: u32| format!("{first} = @a\n{second} = @a\n@a Item: n={n}");
        state.differences(&of(1), &of(2))
    };
    assert_eq!(told("A.x", "B.x"), ["A.x.n: 1 -> 2"]);
    assert_eq!(told("B.x", "A.x"), ["A.x.n: 1 -> 2"]);
}

#[test]
fn what_is_above_the_limit_is_counted() {
    let mut state = State::new();
    let list = |offset: usize| {
        let edges: Vec<String> = (0..10).map(|at| format!("f{at}={}", at + offset)).collect();
        format!("A.x = @l\n@l Item: {}", edges.join(" "))
    };
    let (before, after) = (state.graph(&list(0)), state.graph(&list(100)));
    let found = differences(&before, &after, state.words().names, 3);
    assert_eq!((found.list.len(), found.more), (3, 7));
}

/// `n` nodes in a row, the last with a number.
fn chain(names: &mut Names, length: usize, last: i64) -> Graph {
    let (class, next, number) = (names.label("Node"), names.label("next"), names.label("n"));
    let mut builder = GraphBuilder::new();
    let nodes: Vec<_> = (0..length).map(|_| builder.node(Node::of(class))).collect();
    for two in nodes.windows(2) {
        builder.edge(two[0], EdgeLabel::Field(next), two[1]);
        builder.edge(two[1], EdgeLabel::Field(names.label("previous")), two[0]);
    }
    builder.edge(nodes[length - 1], EdgeLabel::Field(number), Value::Int(last));
    builder.root(names.label("A.x"), nodes[0]);
    builder.build().unwrap()
}

#[test]
fn a_list_of_100_000_nodes_needs_no_stack() {
    let mut names = Names::new();
    let (before, after) = (chain(&mut names, 100_000, 1), chain(&mut names, 100_000, 2));
    assert_eq!(differences(&before, &before, &names, 10).verdict, Verdict::Same);
    let found = differences(&before, &after, &names, 10);
    assert_eq!(found.list.len(), 1);
    assert_eq!(found.list[0].path.steps.len(), 100_000);
}

#[test]
fn a_long_list_in_a_set_is_compared_in_time() {
    let mut names = Names::new();
    let mut set = |last: i64| {
        let (class, next, number) = (names.label("Node"), names.label("next"), names.label("n"));
        let member = EdgeLabel::Unordered(crate::Label::MEMBER);
        let mut builder = GraphBuilder::new();
        let set = builder.node(Node::of(names.label("Set")));
        for length in [20_000, 20_001, 20_001] {
            let nodes: Vec<_> = (0..length).map(|_| builder.node(Node::of(class))).collect();
            for two in nodes.windows(2) {
                builder.edge(two[0], EdgeLabel::Field(next), two[1]);
            }
            builder.edge(nodes[length - 1], EdgeLabel::Field(number), Value::Int(last));
            builder.edge(set, member, nodes[0]);
        }
        builder.root(names.label("A.x"), set);
        builder.build().unwrap()
    };
    let (before, same, after) = (set(1), set(1), set(2));
    assert_eq!(differences(&before, &same, &names, 10).verdict, Verdict::Same);
    assert_eq!(differences(&before, &after, &names, 10).list.len(), 3);
}
