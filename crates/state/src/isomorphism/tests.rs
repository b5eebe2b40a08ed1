use super::*;
use crate::samples::State;

fn verdict(before: &str, after: &str) -> Verdict {
    let mut state = State::new();
    let (before, after) = (state.graph(before), state.graph(after));
    let verdict = isomorphic(&before, &after);
    assert_eq!(isomorphic(&after, &before), verdict);
    verdict
}

#[test]
fn identity_and_numbers_of_objects_do_not_matter() {
    let before = "A.x = @a\n @a List#1: [0]=@b [1]=@c\n @b Item#2: n=1\n @c Item#3: n=2";
    let after = "A.x = @a\n @c Item#9: n=2\n @b Item#3: n=1\n @a List#8: [0]=@b [1]=@c";
    assert_eq!(verdict(before, after), Verdict::Same);
}

#[test]
fn sharing_matters() {
    let shared = "A.x = @a\n A.y = @a\n @a Item: n=1";
    let equal = "A.x = @a\n A.y = @b\n @a Item: n=1\n @b Item: n=1";
    assert_eq!(verdict(shared, equal), Verdict::Different);
}

#[test]
fn the_length_of_a_cycle_matters() {
    let two = "A.x = @a\n @a Node: next=@b\n @b Node: next=@a";
    let one = "A.x = @a\n @a Node: next=@a";
    assert_eq!(verdict(two, one), Verdict::Different);
    assert_eq!(verdict(two, two), Verdict::Same);
}

#[test]
fn roots_that_only_one_state_has_do_not_matter() {
    let before = "A.x = 1\n B.y = @b\n @b Item:";
    let after = "A.x = 1\n C.z = 3";
    assert_eq!(verdict(before, after), Verdict::Same);
    assert_eq!(verdict(before, "C.z = 3"), Verdict::Same);
}

#[test]
fn values_of_another_kind_differ() {
    assert_eq!(verdict("A.x = 1", "A.x = 1L"), Verdict::Different);
    assert_eq!(verdict("A.x = null", "A.x = 0"), Verdict::Different);
}

#[test]
fn an_absent_edge_is_not_one_to_null() {
    assert_eq!(verdict("A.x = @a\n @a Item: n=null", "A.x = @a\n @a Item:"), Verdict::Different);
}

#[test]
fn members_of_a_set_have_no_order() {
    let before =
        "A.x = @s\n @s Set: <@>=@a <@>=@b <@>=@c\n @a Item: n=1\n @b Item: n=2\n @c Item: n=1";
    let after =
        "A.x = @s\n @s Set: <@>=@a <@>=@b <@>=@c\n @a Item: n=2\n @b Item: n=1\n @c Item: n=1";
    let other =
        "A.x = @s\n @s Set: <@>=@a <@>=@b <@>=@c\n @a Item: n=2\n @b Item: n=2\n @c Item: n=1";
    assert_eq!(verdict(before, after), Verdict::Same);
    assert_eq!(verdict(before, other), Verdict::Different);
}

#[test]
fn identities_that_mislead_do_no_harm() {
    let before = "A.x = @s\n @s Set: <@>=@a <@>=@b\n @a Item#1: n=1\n @b Item#2: n=2";
    let after = "A.x = @s\n @s Set: <@>=@a <@>=@b\n @a Item#1: n=2\n @b Item#2: n=1";
    assert_eq!(verdict(before, after), Verdict::Same);
}

#[test]
fn members_that_only_what_leads_to_them_tells_apart() {
    // Equal objects in a set, each of them a key of another entry.
    let before = "A.x = @s\n A.y = @m\n @s Set: <@>=@a <@>=@b\n @a Item:\n @b Item:
                  @m Map: <entry>=@e <entry>=@f\n @e entry: key=@a value=1\n @f entry: key=@b value=2";
    let after = "A.x = @s\n A.y = @m\n @s Set: <@>=@a <@>=@b\n @a Item:\n @b Item:
                  @m Map: <entry>=@e <entry>=@f\n @e entry: key=@b value=1\n @f entry: key=@a value=2";
    let other = "A.x = @s\n A.y = @m\n @s Set: <@>=@a <@>=@b\n @a Item:\n @b Item:
                  @m Map: <entry>=@e <entry>=@f\n @e entry: key=@b value=1\n @f entry: key=@b value=2";
    assert_eq!(verdict(before, after), Verdict::Same);
    assert_eq!(verdict(before, other), Verdict::Different);
}

#[test]
fn a_member_that_another_one_leads_out_of_the_set_is_missed() {
    let before = "A.x = @s\n @s Set: <@>=@a <@>=@b\n @a Item: f=@b\n @b Item: f=null";
    let after =
        "A.x = @s\n @s Set: <@>=@c <@>=@d\n @c Item: f=@e\n @d Item: f=null\n @e Item: f=null";
    assert_eq!(verdict(before, after), Verdict::Different);
}

/// A set of `sizes.sum()` nodes in circles of these sizes, each linked with its neighbours without order.
fn circles(sizes: &[usize], turn: usize) -> String {
    let all: usize = sizes.iter().sum();
    let name = |at: usize| (at + turn) % all;
    let mut text = String::from("A.x = @s\n@s Set:");
    for at in 0..all {
        text += &format!(" <@>=@n{at}");
    }
    let mut start = 0;
    for size in sizes {
        for at in 0..*size {
            let (left, right) = (start + (at + size - 1) % size, start + (at + 1) % size);
            let (left, right) = (name(left), name(right));
            text += &format!("\n@n{} Node: <@>=@n{left} <@>=@n{right}", name(start + at));
        }
        start += size;
    }
    text
}

#[test]
fn circles_that_refinement_cannot_tell_apart_are_told_apart() {
    assert_eq!(verdict(&circles(&[3, 3], 0), &circles(&[6], 0)), Verdict::Different);
    assert_eq!(verdict(&circles(&[3, 4, 5], 0), &circles(&[5, 3, 4], 2)), Verdict::Same);
    assert_eq!(verdict(&circles(&[3, 4, 5], 0), &circles(&[3, 3, 6], 0)), Verdict::Different);
}

#[test]
fn many_equal_pairs_need_no_search() {
    let pairs = |turn: usize| {
        let mut text = String::from("A.x = @s\n@s Set:");
        let all = 2000;
        (0..all).for_each(|at| text += &format!(" <@>=@n{at}"));
        for at in 0..all {
            let (own, friend) = ((at * turn) % all, ((at ^ 1) * turn) % all);
            text += &format!("\n@n{own} Node: friend=@n{friend}");
        }
        text
    };
    assert_eq!(verdict(&pairs(1), &pairs(7)), Verdict::Same);
}

#[test]
fn what_would_take_too_long_is_unknown() {
    // Nothing tells the nodes of one circle from those of another, so only trying all of them would help.
    let (mut many, mut other) = (vec![3; 300], vec![3; 298]);
    many.push(4);
    other.extend([6, 4]);
    let mut state = State::new();
    let before = state.graph(&circles(&many, 0));
    let after = state.graph(&circles(&other, 0));
    assert_eq!(isomorphic_within(&before, &after, 100_000), Verdict::Unknown);
}
