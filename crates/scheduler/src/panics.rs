//! Panics of other people's code, as words.

use std::panic::{AssertUnwindSafe, catch_unwind};

/// What `work` returns, or the words of its panic.
///
/// The caller must not rely on anything that `work` may have left half changed.
pub(crate) fn caught<T>(work: impl FnOnce() -> T) -> Result<T, String> {
    catch_unwind(AssertUnwindSafe(work)).map_err(|payload| {
        let words = payload
            .downcast_ref::<&str>()
            .map(|words| (*words).to_owned())
            .or_else(|| payload.downcast_ref::<String>().cloned());
        format!("internal error: {}", words.as_deref().unwrap_or("no words"))
    })
}
