//! Orders of so many elements, all of them equally likely.

/// Which element comes at which place. The same seed gives the same order.
pub fn permutation(seed: u64, size: u32) -> Vec<u32> {
    let mut order: Vec<u32> = (0..size).collect();
    let mut numbers = Numbers(seed);
    for at in (1..order.len()).rev() {
        order.swap(at, numbers.below(at as u64 + 1) as usize);
    }
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
