//! Makes one directory hold what another holds, and tells how two differ.

use std::fs::{self, File};
use std::io::{self, ErrorKind, Read};
use std::mem::discriminant;
use std::path::{Path, PathBuf};

use rustix::fs::{AtFlags, CWD, Timespec, Timestamps, UTIME_OMIT, utimensat};

use super::tree::{self, Limit, Node, Time, Tree, about};

/// What was copied.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Size {
    pub files: u64,
    pub bytes: u64,
}

/// `to` holds `wanted` then. What it lacks is taken from `from`; what is alike already is not touched.
pub(super) fn bring(from: &Path, wanted: &Tree, to: &Path) -> io::Result<Size> {
    fs::create_dir_all(to).map_err(|error| about("make", to, &error))?;
    let there = tree::read(to, Limit::NONE)?;
    // Backwards: a directory goes after what is in it.
    for (path, node) in there.iter().rev() {
        if wanted.get(path).is_none_or(|wanted| discriminant(wanted) != discriminant(node)) {
            remove(&to.join(path), node)?;
        }
    }
    let mut size = Size::default();
    for (path, node) in wanted {
        if there.get(path) != Some(node) {
            let (from, to) = (from.join(path), to.join(path));
            put(&from, node, &to, &mut size).map_err(|error| about("copy", &from, &error))?;
        }
    }
    Ok(size)
}

fn remove(path: &Path, node: &Node) -> io::Result<()> {
    let removed = match node {
        Node::Directory => fs::remove_dir(path),
        Node::File { .. } | Node::Link { .. } => fs::remove_file(path),
    };
    match removed {
        // Something lies in it that is no part of a copy.
        Err(error) if error.kind() == ErrorKind::DirectoryNotEmpty => Ok(()),
        removed => removed.map_err(|error| about("remove", path, &error)),
    }
}

fn put(from: &Path, node: &Node, to: &Path, size: &mut Size) -> io::Result<()> {
    if let Some(above) = to.parent() {
        fs::create_dir_all(above)?;
    }
    match node {
        Node::Directory => fs::create_dir_all(to),
        Node::Link { target } => {
            let _ = fs::remove_file(to);
            std::os::unix::fs::symlink(target, to)
        }
        Node::File { modified, .. } => {
            // Not written over: it may be read-only.
            let _ = fs::remove_file(to);
            match fs::copy(from, to) {
                // It went while we copy: somebody works in the project.
                Err(error) if error.kind() == ErrorKind::NotFound && !from.exists() => {
                    return Ok(());
                }
                copied => size.bytes += copied?,
            }
            size.files += 1;
            date(to, *modified)
        }
    }
}

fn date(path: &Path, modified: Time) -> io::Result<()> {
    let (tv_sec, tv_nsec) = modified;
    let times = Timestamps {
        last_access: Timespec { tv_sec: 0, tv_nsec: UTIME_OMIT },
        last_modification: Timespec { tv_sec, tv_nsec },
    };
    Ok(utimensat(CWD, path, &times, AtFlags::SYMLINK_NOFOLLOW)?)
}

/// The paths that count and are not alike.
pub(super) fn differences<'t>(
    one: (&'t Path, &'t Tree),
    other: (&'t Path, &'t Tree),
    counts: impl Fn(&Path) -> bool + 't,
) -> impl Iterator<Item = &'t PathBuf> {
    let differs = move |path: &Path| match (one.1.get(path), other.1.get(path)) {
        (Some(node), Some(as_other)) if node == as_other => false,
        (
            Some(Node::File { size, mode, .. }),
            Some(Node::File { size: as_size, mode: as_mode, .. }),
        ) if size == as_size && mode == as_mode => {
            // It was written, maybe with the bytes that it had.
            !same_content(&one.0.join(path), &other.0.join(path)).unwrap_or(false)
        }
        _ => true,
    };
    let new = other.1.keys().filter(move |path| !one.1.contains_key(*path));
    one.1.keys().chain(new).filter(move |path| differs(path) && counts(path))
}

fn same_content(one: &Path, other: &Path) -> io::Result<bool> {
    let (mut one, mut other) = (File::open(one)?, File::open(other)?);
    let (mut part, mut as_part) = (vec![0; 1 << 16], vec![0; 1 << 16]);
    loop {
        let read = one.read(&mut part)?;
        if read == 0 {
            return Ok(other.read(&mut as_part)? == 0);
        }
        match other.read_exact(&mut as_part[..read]) {
            Err(error) if error.kind() == ErrorKind::UnexpectedEof => return Ok(false),
            done => done?,
        }
        if part[..read] != as_part[..read] {
            return Ok(false);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_alike_is_not_copied_again() -> io::Result<()> {
        let folder = tempfile::tempdir()?;
        let (from, to) = (folder.path().join("from"), folder.path().join("to"));
        fs::create_dir(&from)?;
        fs::write(from.join("a"), "123")?;
        fs::write(from.join("b"), "45")?;
        let bring = || bring(&from, &tree::read(&from, Limit::NONE)?, &to);
        assert_eq!(bring()?, Size { files: 2, bytes: 5 });
        assert_eq!(bring()?, Size::default());
        fs::write(from.join("b"), "4567")?;
        assert_eq!(bring()?, Size { files: 1, bytes: 4 });
        Ok(())
    }
}
