//! The decoder of the fuzz target, with random bytes.

#[path = "../fuzz/decoder.rs"]
mod decoder;

use proptest::prelude::*;

proptest! {
    #![proptest_config(ProptestConfig { cases: 3000, ..ProptestConfig::default() })]

    #[test]
    fn no_bytes_break_anything(bytes in prop::collection::vec(any::<u8>(), 0..700)) {
        decoder::compare(&bytes);
    }
}
