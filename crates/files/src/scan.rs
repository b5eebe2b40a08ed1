//! Reads what is at a path.

use std::fs::{self, Metadata, OpenOptions};
use std::io::Read;
use std::os::unix::fs::{FileTypeExt, MetadataExt, OpenOptionsExt};
use std::path::{Path, PathBuf};
use std::time::{SystemTime, UNIX_EPOCH};

use rustix::fs::OFlags;
use xxhash_rust::xxh3::Xxh3;

use crate::entry::{Entry, Kind, Stamp};

/// Bytes that are read in all before the first test. What is left then is compared by size alone.
const MOST_BYTES_AT_FIRST: u64 = 256 << 20;

/// The clock of a file system may be so coarse that two changes within this time have one stamp.
const COARSE: i128 = 100_000_000;

const PERMISSIONS: u32 = 0o7777;

#[derive(Debug)]
pub(crate) struct Scanner {
    /// Larger files are not read.
    most_bytes: u64,
    /// How much may still be read, as long as the first look lasts.
    left: Option<u64>,
}

/// What was found at a path.
#[derive(Debug)]
pub(crate) struct Found {
    pub(crate) entry: Entry,
    pub(crate) device: u64,
}

impl Scanner {
    pub(crate) fn new(most_bytes: u64) -> Scanner {
        Scanner { most_bytes, left: Some(MOST_BYTES_AT_FIRST) }
    }

    pub(crate) fn first_look_is_over(&mut self) {
        self.left = None;
    }

    /// None if there is nothing. `known` is what was there: what has the same stamp is not read again.
    pub(crate) fn at(&mut self, path: &Path, known: Option<&Entry>) -> Option<Found> {
        let metadata = fs::symlink_metadata(path).ok()?;
        let (stamp, settled) = stamp(&metadata);
        let known = known.filter(|known| known.stamp == stamp && known.settled);
        let kind = self.kind(path, &metadata, known)?;
        let mode = metadata.mode() & PERMISSIONS;
        Some(Found { entry: Entry { kind, mode, stamp, settled }, device: metadata.dev() })
    }

    fn kind(&mut self, path: &Path, metadata: &Metadata, known: Option<&Entry>) -> Option<Kind> {
        let kind = metadata.file_type();
        Some(if kind.is_dir() {
            Kind::Directory
        } else if kind.is_symlink() {
            Kind::Link { target: fs::read_link(path).ok()? }
        } else if kind.is_socket()
            || kind.is_fifo()
            || kind.is_char_device()
            || kind.is_block_device()
        {
            Kind::Special
        } else {
            let size = metadata.len();
            match known.map(|known| &known.kind) {
                Some(Kind::File { size: same, content }) if *same == size => {
                    Kind::File { size, content: *content }
                }
                _ => Kind::File { size, content: self.content(path, size) },
            }
        })
    }

    fn content(&mut self, path: &Path, size: u64) -> Option<u128> {
        if size > self.most_bytes {
            return None;
        }
        if let Some(left) = &mut self.left {
            *left = left.checked_sub(size)?;
        }
        // Never waits: what is a pipe by now is not opened for good, and no link is followed.
        let flags = OFlags::NOFOLLOW | OFlags::NONBLOCK | OFlags::CLOEXEC;
        let file =
            OpenOptions::new().read(true).custom_flags(flags.bits().cast_signed()).open(path);
        let mut file = file.ok()?.take(self.most_bytes + 1);
        let mut hasher = Xxh3::new();
        let mut buffer = vec![0; 1 << 16];
        let mut length = 0;
        loop {
            match file.read(&mut buffer).ok()? {
                0 => return (length == size).then(|| hasher.digest128()),
                read => {
                    length += read as u64;
                    hasher.update(&buffer[..read]);
                }
            }
        }
    }
}

/// Sorted. Empty if it cannot be read.
pub(crate) fn children(directory: &Path) -> Vec<PathBuf> {
    let Ok(entries) = fs::read_dir(directory) else { return Vec::new() };
    let mut children: Vec<PathBuf> = entries.flatten().map(|entry| entry.path()).collect();
    children.sort();
    children
}

fn stamp(metadata: &Metadata) -> (Stamp, bool) {
    let changed = i128::from(metadata.ctime()) * 1_000_000_000 + i128::from(metadata.ctime_nsec());
    let now = SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |now| now.as_nanos());
    let age = i128::try_from(now).unwrap_or(0) - changed;
    (Stamp { inode: metadata.ino(), changed }, age > COARSE)
}
