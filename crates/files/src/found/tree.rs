//! What lies below a directory, as far as a copy of it has to be alike.

use std::collections::BTreeMap;
use std::fs::{self, Metadata};
use std::io;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};

/// Never part of it: our own, and what no test should depend on.
const LEFT_OUT: &[&str] = &[".surefoot", ".git"];

const PERMISSIONS: u32 = 0o7777;

/// By path below the directory.
pub(super) type Tree = BTreeMap<PathBuf, Node>;

/// Sockets, pipes and devices are none: they cannot be copied.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Node {
    Directory,
    File { size: u64, modified: Time, mode: u32 },
    Link { target: PathBuf },
}

/// Seconds and nanoseconds since 1970.
pub(super) type Time = (i64, i64);

/// More is not kept: it would take longer than the tests, and there may be many copies at a time.
#[derive(Debug, Clone, Copy)]
pub(super) struct Limit {
    pub(super) files: u64,
    pub(super) bytes: u64,
}

impl Limit {
    pub(super) const NONE: Limit = Limit { files: u64::MAX, bytes: u64::MAX };
}

/// Empty if there is no such directory.
pub(super) fn read(root: &Path, limit: Limit) -> io::Result<Tree> {
    let mut tree = Tree::new();
    let (mut files, mut bytes) = (0, 0);
    let mut open = vec![PathBuf::new()];
    while let Some(directory) = open.pop() {
        for name in names(&root.join(&directory))? {
            let path = directory.join(name);
            // It may go while we look: somebody works in the project.
            let Ok(metadata) = fs::symlink_metadata(root.join(&path)) else { continue };
            let Some(node) = node(&root.join(&path), &metadata) else { continue };
            files += 1;
            bytes += if metadata.is_file() { metadata.len() } else { 0 };
            if files > limit.files || bytes > limit.bytes {
                return Err(io::Error::other(format!(
                    "it holds more than {} files or {} MiB",
                    limit.files,
                    limit.bytes >> 20
                )));
            }
            if node == Node::Directory {
                open.push(path.clone());
            }
            tree.insert(path, node);
        }
    }
    Ok(tree)
}

/// When the system last saw it change: not even its owner can set that back.
pub(super) fn changed(path: &Path) -> Option<Time> {
    fs::symlink_metadata(path).ok().map(|metadata| (metadata.ctime(), metadata.ctime_nsec()))
}

fn names(directory: &Path) -> io::Result<Vec<std::ffi::OsString>> {
    let entries = match fs::read_dir(directory) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Vec::new()),
        entries => entries.map_err(|error| about("read", directory, &error))?,
    };
    let names = entries.flatten().map(|entry| entry.file_name());
    Ok(names.filter(|name| !LEFT_OUT.iter().any(|left_out| name == left_out)).collect())
}

fn node(path: &Path, metadata: &Metadata) -> Option<Node> {
    let kind = metadata.file_type();
    if kind.is_dir() {
        Some(Node::Directory)
    } else if kind.is_symlink() {
        Some(Node::Link { target: fs::read_link(path).ok()? })
    } else if kind.is_file() {
        let modified = (metadata.mtime(), metadata.mtime_nsec());
        Some(Node::File { size: metadata.len(), modified, mode: metadata.mode() & PERMISSIONS })
    } else {
        None
    }
}

/// The system's words do not say which file they are about.
pub(super) fn about(what: &str, path: &Path, error: &io::Error) -> io::Error {
    io::Error::new(error.kind(), format!("cannot {what} {}: {error}", path.display()))
}
