//! Orders of so many elements, all of them equally likely.

/// So many seeds in a row make up for each other.
const BALANCED: usize = 8;

/// Which element comes at which place with a seed, for the choice of this number. Of eight seeds that differ in the last three bits alone,
/// four show the mirror images of what the other four show: any two elements come in either order with four of them, so that a test which
/// takes two in the usual one is not missed by bad luck. Which seed mirrors which is another matter for each choice, or two choices
/// that must differ to break a test would be the same in both.
pub(crate) fn balanced(seed: u64, choice: u64, size: u32) -> Vec<u32> {
    let (block, number) = (seed / BALANCED as u64, (seed % BALANCED as u64) as usize);
    let mut numbers = Numbers(choice ^ Numbers(block).next());
    let mut places: [u8; BALANCED] = std::array::from_fn(|place| place as u8);
    numbers.shuffle(&mut places);
    let (pair, is_mirrored) = (places[number] / 2, places[number] % 2 == 1);
    let mut order = permutation(numbers.next().wrapping_add(u64::from(pair)), size);
    if is_mirrored {
        order.reverse();
    }
    order
}

/// Which element comes at which place. The same seed gives the same order.
fn permutation(seed: u64, size: u32) -> Vec<u32> {
    let mut order: Vec<u32> = (0..size).collect();
    Numbers(seed).shuffle(&mut order);
    order
}

/// SplitMix64: small, quick, and good enough to pick orders with.
struct Numbers(u64);

impl Numbers {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        mixed ^ (mixed >> 31)
    }

    /// By multiplication: for fewer than 2³² elements no number is likelier than another by more than 2⁻³².
    fn below(&mut self, bound: u64) -> u64 {
        ((u128::from(self.next()) * u128::from(bound)) >> 64) as u64
    }

    fn shuffle<T>(&mut self, elements: &mut [T]) {
        for at in (1..elements.len()).rev() {
            elements.swap(at, self.below(at as u64 + 1) as usize);
        }
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn every_element_comes_once(seed: u64, size in 0_u32..200) {
            let mut order = permutation(seed, size);
            prop_assert_eq!(&order, &permutation(seed, size));
            order.sort_unstable();
            prop_assert!(order.into_iter().eq(0..size));
        }

        #[test]
        fn of_eight_seeds_four_show_two_elements_in_either_order(
            block in 0_u64..1 << 40,
            choice: u64,
            size in 2_u32..20,
        ) {
            let orders: Vec<Vec<u32>> =
                (0..8).map(|number| balanced(8 * block + number, choice, size)).collect();
            for (one, other) in (0..size).flat_map(|one| (0..one).map(move |other| (one, other))) {
                let comes_first = |order: &&Vec<u32>| {
                    order.iter().find(|at| **at == one || **at == other) == Some(&one)
                };
                prop_assert_eq!(orders.iter().filter(comes_first).count(), 4);
            }
        }
    }

    #[test]
    fn two_choices_differ_with_some_of_eight_seeds() {
        let with = |choice| (0..8).map(|seed| balanced(seed, choice, 2)).collect::<Vec<_>>();
        let same = (0..1000).filter(|choice| with(2 * choice) == with(2 * choice + 1)).count();
        assert!(same < 40, "{same} of 1000, and one of 70 is to be expected");
    }

    #[test]
    fn with_any_seed_all_orders_come_up_about_as_often() {
        for seed in [0, 42, 43] {
            let mut counts: BTreeMap<Vec<u32>, u32> = BTreeMap::new();
            for choice in 0..6_000 {
                *counts.entry(balanced(seed, choice, 3)).or_default() += 1;
            }
            assert_eq!(counts.len(), 6);
            assert!(counts.values().all(|count| (850..1150).contains(count)), "{counts:?}");
        }
    }

    #[test]
    fn all_orders_come_up_about_as_often() {
        let mut counts: BTreeMap<Vec<u32>, u32> = BTreeMap::new();
        for seed in 0..24_000 {
            *counts.entry(permutation(seed, 4)).or_default() += 1;
        }
        assert_eq!(counts.len(), 24);
        assert!(counts.values().all(|count| (850..1150).contains(count)), "{counts:?}");
    }
}
