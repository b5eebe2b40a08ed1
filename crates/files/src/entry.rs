//! What is at a path, as far as a test can tell. Pure.

use std::fmt;
use std::path::PathBuf;

#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Entry {
    pub(crate) kind: Kind,
    /// Permissions, and no more.
    pub(crate) mode: u32,
    pub(crate) stamp: Stamp,
    /// Its stamp was old enough when it was read: a change right after would have given it another one.
    pub(crate) settled: bool,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Kind {
    File {
        size: u64,
        /// A digest; none if it was not read.
        content: Option<u128>,
    },
    Directory,
    Link {
        target: PathBuf,
    },
    /// A socket, a pipe, a device.
    Special,
}

/// The same stamp, the same content: no need to read it again.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Stamp {
    pub(crate) inode: u64,
    /// When the system last saw it change, in nanoseconds.
    pub(crate) changed: i128,
}

impl Entry {
    pub(crate) fn is_directory(&self) -> bool {
        self.kind == Kind::Directory
    }

    /// Where content is not known, size is all that counts.
    pub(crate) fn is_like(&self, other: &Entry) -> bool {
        let same_kind = match (&self.kind, &other.kind) {
            (
                Kind::File { size, content: Some(content) },
                Kind::File { size: other_size, content: Some(other) },
            ) => size == other_size && content == other,
            (Kind::File { size, .. }, Kind::File { size: other, .. }) => size == other,
            (kind, other) => kind == other,
        };
        same_kind && self.mode == other.mode
    }

    /// Whether it is a file on both sides, or a directory, and so on.
    pub(crate) fn is_of_kind(&self, other: &Entry) -> bool {
        std::mem::discriminant(&self.kind) == std::mem::discriminant(&other.kind)
    }
}

impl fmt::Display for Entry {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.kind {
            Kind::File { size: 0, .. } => f.write_str("empty file"),
            Kind::File { size: 1, .. } => f.write_str("file of 1 byte"),
            Kind::File { size, .. } => write!(f, "file of {size} bytes"),
            Kind::Directory => f.write_str("directory"),
            Kind::Link { target } => write!(f, "link to {}", target.display()),
            Kind::Special => f.write_str("socket, pipe or device"),
        }
    }
}
