//! Differences for tests.

use surefoot_model::{Access, Difference, DifferenceKind};

/// At a public root, which is what comes before the first `[` or the last `.` but one.
pub(crate) fn difference(path: &str, before: &str, after: &str) -> Difference {
    let end = path.find('[').unwrap_or(path.len());
    Difference {
        root: path[..end].to_owned(),
        path: path.to_owned(),
        steps: u32::from(end < path.len()),
        access: Access::Public,
        kind: DifferenceKind::Value,
        before: Some(before.to_owned()),
        after: Some(after.to_owned()),
    }
}
