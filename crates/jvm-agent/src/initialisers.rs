//! Whether the initialiser of a class of the program may be under way.
//!
//! What is chosen below one must not depend on the test that happens to come first (see `crates/choice`). On the stack it may be
//! far out, and reading all of the stack is most of what a choice takes. So initialisers count themselves, and the stack is
//! read that far only while any is under way, in whichever thread.

use std::sync::atomic::{AtomicBool, Ordering};

use surefoot_classfile::{Call, ClassFile, Refusal};

use crate::bundle;
use crate::place::{Whose, whose};

#[derive(Debug, Default)]
pub(crate) struct Initialisers {
    counting: AtomicBool,
    /// There is one that does not count itself: from then on, one may always be under way.
    uncounted: AtomicBool,
}

impl Initialisers {
    /// From now on; the class that counts is there.
    pub(crate) fn count(&self) {
        self.counting.store(true, Ordering::Release);
    }

    pub(crate) fn are_counted(&self) -> bool {
        !self.uncounted.load(Ordering::Acquire)
    }

    /// A class is being loaded: what to load instead, if it has an initialiser.
    pub(crate) fn class_loaded(&self, name: &str, boot: bool, bytes: &[u8]) -> Option<Vec<u8>> {
        if !self.are_counted() || whose(name, "<clinit>", boot) != Whose::Initialiser {
            return None;
        }
        let counted = self.counting.load(Ordering::Acquire).then(|| counted(bytes));
        if !matches!(counted, Some(Ok(_))) {
            self.uncounted.store(true, Ordering::Release);
        }
        counted?.ok().flatten()
    }
}

/// One that ends with an exception stays counted, and choices stay slow: its class can never be used, so that is rare.
fn counted(bytes: &[u8]) -> Result<Option<Vec<u8>>, Refusal> {
    let mut class = ClassFile::parse(bytes)?;
    let Some(initialiser) = class.find_method("<clinit>", "()V") else { return Ok(None) };
    let call = |method| Call { class: bundle::CHOICES, method, descriptor: "()V" };
    class.prepend_static_call(initialiser, &call("initialiserBegins"), &[])?;
    class.append_static_call(initialiser, &call("initialiserEnds"), &[])?;
    Ok(Some(class.to_bytes()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_class_that_cannot_be_woven_or_came_too_early_leaves_initialisers_uncounted() {
        let initialisers = Initialisers::default();
        initialisers.count();
        for (class, boot) in [("java/util/X", true), ("org/junit/runners/X", false)] {
            assert!(initialisers.class_loaded(class, boot, b"no class file").is_none());
            assert!(initialisers.are_counted(), "{class} is not of the program");
        }
        assert!(initialisers.class_loaded("com/acme/X", false, b"no class file").is_none());
        assert!(!initialisers.are_counted());

        let early = Initialisers::default();
        early.class_loaded("com/acme/X", false, b"");
        early.count();
        assert!(!early.are_counted());
    }
}
