//! A short name for a value that stays the same as long as the value does.

use std::fmt;

use serde::{Deserialize, Serialize};
use xxhash_rust::xxh3::Xxh3;

/// 64 bits of a hash over parts, written as 16 hexadecimal digits.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Fingerprint(String);

impl Fingerprint {
    /// Each part is hashed with its length, so that `["ab", "c"]` and `["a", "bc"]` differ.
    pub fn of<'a>(parts: impl IntoIterator<Item = &'a str>) -> Self {
        let mut hash = Xxh3::new();
        for part in parts {
            hash.update(&(part.len() as u64).to_le_bytes());
            hash.update(part.as_bytes());
        }
        Fingerprint(format!("{:016x}", hash.digest()))
    }

    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for Fingerprint {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&self.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fingerprints_are_stable_and_see_where_parts_end() {
        assert_eq!(Fingerprint::of(["ab", "c"]).as_str(), Fingerprint::of(["ab", "c"]).as_str());
        assert_ne!(Fingerprint::of(["ab", "c"]), Fingerprint::of(["a", "bc"]));
        // Baselines in users' repositories hold these: a change here is a change of format.
        assert_eq!(Fingerprint::of(["flaky", "a.B#c"]).as_str().len(), 16);
    }
}
