//! 64-bit mixing for digests. A collision never makes a wrong answer: digests only sort candidates, and pairs are checked.

const FIRST: u64 = 0x9e37_79b9_7f4a_7c15;
const SECOND: u64 = 0xd6e8_feb8_6659_fd93;

/// Depends on the order of its arguments. The result is mixed well enough to be summed: sums of it stand for multisets.
pub(crate) fn mix(a: u64, b: u64) -> u64 {
    let product = u128::from(a ^ FIRST) * u128::from(b.rotate_left(32) ^ SECOND);
    let folded = (product as u64) ^ ((product >> 64) as u64);
    let folded = (folded ^ a.rotate_left(17) ^ b).wrapping_mul(FIRST);
    folded ^ (folded >> 29)
}

pub(crate) fn mix3(a: u64, b: u64, c: u64) -> u64 {
    mix(mix(a, b), c)
}
