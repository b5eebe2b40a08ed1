//! Has the system tell which paths were touched: inotify.

use std::collections::{BTreeMap, HashMap};
use std::ffi::OsStr;
use std::fs;
use std::mem::MaybeUninit;
use std::os::fd::OwnedFd;
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};

use rustix::fs::inotify::{self, CreateFlags, ReadFlags, Reader, WatchFlags};
use rustix::io::{Errno, ioctl_fionread};

/// All watches of all processes of a user are from one store. The user's tests may want some, so we take only a part.
const OUR_SHARE: usize = 4;

/// Bytes that are read at once.
const AT_ONCE: usize = 1 << 14;

/// The most that one event takes: what all have, and the longest name.
const LONGEST_EVENT: usize = 16 + 256;

/// Where the system does not say how many there are.
const USUAL_WATCHES: usize = 8192;

#[derive(Debug)]
pub(crate) struct Watch {
    inotify: OwnedFd,
    directories: HashMap<i32, PathBuf>,
    most: usize,
}

/// There is no telling what was touched from now on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Blind;

/// Touched paths; true for one that appeared, with all that may be in it by now.
pub(crate) type Paths = BTreeMap<PathBuf, bool>;

impl Watch {
    pub(crate) fn new() -> Result<Watch, Blind> {
        let inotify =
            inotify::init(CreateFlags::NONBLOCK | CreateFlags::CLOEXEC).map_err(|_| Blind)?;
        let limit = fs::read_to_string("/proc/sys/fs/inotify/max_user_watches").ok();
        let limit = limit.and_then(|limit| limit.trim().parse().ok()).unwrap_or(USUAL_WATCHES);
        Ok(Watch { inotify, directories: HashMap::new(), most: limit / OUR_SHARE })
    }

    /// From now on; what is in the directory already must be looked at after this.
    pub(crate) fn add(&mut self, directory: &Path) -> Result<(), Blind> {
        // A file that is mapped into memory is written without a word until it is closed.
        let flags = WatchFlags::CREATE
            | WatchFlags::DELETE
            | WatchFlags::MODIFY
            | WatchFlags::CLOSE_WRITE
            | WatchFlags::ATTRIB
            | WatchFlags::MOVED_FROM
            | WatchFlags::MOVED_TO
            | WatchFlags::DELETE_SELF
            | WatchFlags::MOVE_SELF
            | WatchFlags::ONLYDIR
            | WatchFlags::DONT_FOLLOW
            | WatchFlags::EXCL_UNLINK;
        if self.directories.len() >= self.most {
            return Err(Blind);
        }
        match inotify::add_watch(&self.inotify, directory, flags) {
            Ok(number) => {
                self.directories.insert(number, directory.to_owned());
                Ok(())
            }
            // Gone again, or not ours to read: then nothing in it can be seen anyhow.
            Err(Errno::NOENT | Errno::NOTDIR | Errno::ACCESS | Errno::LOOP) => Ok(()),
            Err(_) => Err(Blind),
        }
    }

    /// What was touched since the last time. What others touch meanwhile is for the next one: a program may write without end, or,
    /// as a tracer does, whenever this process reads.
    pub(crate) fn touched(&mut self) -> Result<Paths, Blind> {
        let mut touched = Paths::new();
        let mut lost = false;
        // Not on the stack: that is a thread's of the user.
        let mut buffer = vec![MaybeUninit::uninit(); AT_ONCE];
        let waiting = ioctl_fionread(&self.inotify).map_err(|_| Blind)? as usize;
        let mut reads = waiting.div_ceil(AT_ONCE - LONGEST_EVENT);
        let mut reader = Reader::new(&self.inotify, &mut buffer);
        loop {
            if reader.is_buffer_empty() {
                if reads == 0 {
                    break;
                }
                reads -= 1;
            }
            let event = match reader.next() {
                Ok(event) => event,
                Err(Errno::AGAIN) => break,
                Err(Errno::INTR) => continue,
                Err(_) => return Err(Blind),
            };
            let what = event.events();
            if what.contains(ReadFlags::QUEUE_OVERFLOW) {
                lost = true;
                continue;
            }
            if what.contains(ReadFlags::IGNORED) {
                self.directories.remove(&event.wd());
                continue;
            }
            let Some(directory) = self.directories.get(&event.wd()) else { continue };
            let path = match event.file_name() {
                Some(name) => directory.join(OsStr::from_bytes(name.to_bytes())),
                None => directory.clone(),
            };
            let appeared = what.intersects(ReadFlags::CREATE | ReadFlags::MOVED_TO);
            *touched.entry(path).or_default() |= appeared;
        }
        if lost { Err(Blind) } else { Ok(touched) }
    }
}
