//! The comparison beside a brute-force oracle, on small graphs of every kind.

mod oracle;
mod spec;

use proptest::prelude::*;
use surefoot_state::{Verdict, canonical, differences, isomorphic};

use oracle::same;
use spec::{Names, Spec, change, labels_apart, mutated, renumbered, spec};

fn verdict(same: bool) -> Verdict {
    if same { Verdict::Same } else { Verdict::Different }
}

/// Everything that must hold for any two states.
fn check(before: &Spec, after: &Spec) -> Result<(), TestCaseError> {
    let names = Names::new();
    let (old, new) = (names.graph(before), names.graph(after));
    let expected = verdict(same(before, after));
    prop_assert_eq!(isomorphic(&old, &new), expected);
    prop_assert_eq!(isomorphic(&new, &old), expected);
    let found = differences(&old, &new, &names.all, 1000);
    prop_assert_eq!(found.verdict, expected);
    prop_assert_eq!(found.list.is_empty(), expected == Verdict::Same);
    let lengths: Vec<usize> = found.list.iter().map(|d| d.path.steps.len()).collect();
    prop_assert!(lengths.is_sorted());
    for difference in &found.list {
        let path = &difference.path;
        prop_assert!(path.resolve(&old).is_some() || path.resolve(&new).is_some());
    }
    let few = differences(&old, &new, &names.all, 1);
    prop_assert_eq!(few.list.len() as u64 + few.more, found.list.len() as u64);
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 3000, ..ProptestConfig::default() })]

    #[test]
    fn any_two_states_are_judged_as_by_the_oracle(before in spec(4, 8), after in spec(4, 8)) {
        check(&before, &after)?;
    }

    #[test]
    fn a_renumbered_copy_is_the_same(state in spec(7, 14), seed: u64) {
        let copy = renumbered(&state, seed);
        let names = Names::new();
        prop_assert_eq!(isomorphic(&names.graph(&state), &names.graph(&copy)), Verdict::Same);
    }

    #[test]
    fn a_changed_copy_is_judged_as_by_the_oracle(
        state in spec(6, 12),
        changes in prop::collection::vec(change(), 1..3),
        seed: u64,
    ) {
        check(&state, &mutated(&renumbered(&state, seed), &changes))?;
    }

    #[test]
    fn without_shared_labels_equal_arrays_mean_the_same_state(
        state in spec(6, 12),
        changes in prop::collection::vec(change(), 0..2),
        seed: u64,
    ) {
        let state = labels_apart(&state);
        let mut other = labels_apart(&mutated(&renumbered(&state, seed), &changes));
        // An array is of all roots.
        other.roots.retain(|root| state.roots.iter().any(|own| own.0 == root.0));
        let names = Names::new();
        let (old, new) = (names.graph(&state), names.graph(&other));
        let same_roots = state.roots.len() == other.roots.len();
        prop_assert_eq!(canonical(&old) == canonical(&new), same_roots && same(&state, &other));
    }

    #[test]
    fn equal_arrays_always_mean_the_same_state(state in spec(5, 10), other in spec(5, 10), seed: u64) {
        let names = Names::new();
        let (old, new) = (names.graph(&state), names.graph(&other));
        if canonical(&old) == canonical(&new) {
            prop_assert!(same(&state, &other));
        }
        // Not promised, but hints at a digest that depends on what it should not.
        let copy = names.graph(&renumbered(&state, seed));
        let restricted = copy.restricted(|_| true);
        prop_assert_eq!(isomorphic(&copy, &restricted), Verdict::Same);
    }
}
