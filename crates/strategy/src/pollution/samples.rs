//! Differences for tests.

use surefoot_model::{Access, Difference, DifferenceKind};

/// At a public root, which is what comes before the first `[` or the last `.` but one.
pub(crate) fn difference(path: &str, before: &str, after: &str) -> Difference {
    let end = path.find('[').unwrap_or(path.len());
    Difference {
        root: path[..end].to_owned(),
        path: path.to_owned(),
        steps: u32::from(end < path.len()),
        field: Some(path[..end].to_owned()),
        through: Vec::new(),
        access: Access::Public,
        kind: DifferenceKind::Value,
        before: Some(before.to_owned()),
        after: Some(after.to_owned()),
    }
}

/// In the working directory, or where else it is if the path is absolute.
pub(crate) fn file(path: &str, kind: DifferenceKind) -> Difference {
    let root = if path.starts_with('/') { "/tmp" } else { "." };
    let some = |is_there: bool| is_there.then(|| "file of 5 bytes".to_owned());
    Difference {
        root: root.to_owned(),
        path: path.to_owned(),
        steps: 1,
        field: None,
        through: Vec::new(),
        access: Access::File,
        kind,
        before: some(kind != DifferenceKind::Added),
        after: some(kind != DifferenceKind::Removed),
    }
}
