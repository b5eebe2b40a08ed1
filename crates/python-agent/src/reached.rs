//! Which objects marks lead to, and which of them several do.

use rustc_hash::{FxHashMap, FxHashSet};

#[derive(Debug, Default)]
pub(crate) struct Reached {
    /// By the address of an object: the marks that have it.
    by: FxHashMap<usize, u32>,
    /// What others hold too, or held.
    shared: FxHashSet<usize>,
    numbers: u32,
}

impl Reached {
    /// A number for marks that are about to be made.
    pub(crate) fn next_number(&mut self) -> u32 {
        self.numbers = self.numbers.wrapping_add(1);
        self.numbers
    }

    /// Whether some marks have an object that these come to.
    pub(crate) fn has(&mut self, address: usize, marks: u32) -> bool {
        let Some(first) = self.by.get(&address) else { return false };
        // What holds itself, as a tree does whose nodes know their parents, goes as a whole.
        if *first != marks {
            self.shared.insert(address);
        }
        true
    }

    pub(crate) fn add(&mut self, address: usize, marks: u32) {
        self.by.insert(address, marks);
    }

    pub(crate) fn forget(&mut self, addresses: &[usize]) {
        addresses.iter().for_each(|address| {
            self.by.remove(address);
        });
    }

    /// Whether others may still hold any of these, which no marks have.
    pub(crate) fn lacks_any_of(&self, addresses: &[usize]) -> bool {
        addresses
            .iter()
            .any(|address| self.shared.contains(address) && !self.by.contains_key(address))
    }
}
