//! Which VMs suspects are confirmed in.

use std::cell::RefCell;

use super::*;

thread_local! {
    /// Of each run that confirms a suspect with its seed: whether it is the odd one, and whether the other one came before it. What a
    /// program does is a plain function, which has nowhere else to put it.
    static SEEN: RefCell<Vec<(bool, bool)>> = const { RefCell::new(Vec::new()) };
}

/// `A#odd` fails with some seeds, `A#even` with the others.
fn fails(test: &str, made: &Made<'_>) -> bool {
    let is_odd = test == "A#odd";
    if made.round == "confirm" && !made.nothing() && made.choosing.trace {
        let other = if is_odd { "A#even" } else { "A#odd" };
        SEEN.with(|seen| seen.borrow_mut().push((is_odd, made.is_after(other))));
    }
    made.is_made(1) && is_odd == (made.choosing.seed % 2 == 1)
}

/// What was seen, once both are found.
fn seen(program: &Program) -> Vec<(bool, bool)> {
    let (findings, ..) = play(program, 2);
    assert_eq!(findings.iter().map(|finding| finding.tests.len()).sum::<usize>(), 2);
    SEEN.with(RefCell::take)
}

#[test]
fn suspects_with_different_seeds_share_the_vms_that_confirm_them_in_both_orders() {
    let seen = seen(&program(&[("A#even", 0..2), ("A#odd", 0..2)], fails));
    for is_odd in [false, true] {
        let second = seen.iter().filter(|one| **one == (is_odd, true)).count();
        assert_eq!(second, 1, "each comes first in one VM and second in the other: {seen:?}");
        assert!(seen.contains(&(is_odd, false)), "{seen:?}");
    }
}

#[test]
fn workers_of_python_serve_one_seed_each() {
    let seen = seen(&python(program(&[("A#even", 0..2), ("A#odd", 0..2)], fails)));
    assert!(!seen.is_empty() && seen.iter().all(|(_, after)| !after), "{seen:?}");
}
