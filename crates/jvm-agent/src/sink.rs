//! Where events go: a file of this VM's own, or the socket of a worker.

use std::fs::{File, OpenOptions};
use std::io::{self, Write};
use std::os::fd::{FromRawFd, OwnedFd};
use std::os::unix::fs::OpenOptionsExt;
use std::os::unix::net::UnixStream;
use std::path::PathBuf;

use surefoot_model::Event;

use crate::options::Options;

#[derive(Debug)]
pub(crate) enum Sink {
    /// Made when there is something to say: most VMs of a build never have.
    File {
        folder: PathBuf,
        file: Option<File>,
    },
    Socket(UnixStream),
    /// Writing failed once; more would only tear the record.
    Closed,
}

impl Sink {
    pub(crate) fn open(options: &Options) -> Sink {
        match options {
            Options::Watch { folder } => Sink::File { folder: folder.clone(), file: None },
            Options::Work { socket } => {
                // SAFETY: Surefoot started this VM with the descriptor open for the agent alone, and this is the only
                // place that takes it.
                let fd = unsafe { OwnedFd::from_raw_fd(*socket) };
                // The user's tests start processes that must not hold the socket open.
                let _ = rustix::io::fcntl_setfd(&fd, rustix::io::FdFlags::CLOEXEC);
                Sink::Socket(UnixStream::from(fd))
            }
        }
    }

    /// One event is one `write`, so that whatever happens next, the line is whole.
    pub(crate) fn send(&mut self, event: &Event) {
        let Ok(mut line) = serde_json::to_vec(event) else { return };
        line.push(b'\n');
        let written = match self {
            Sink::File { folder, file } => {
                let opened = match file {
                    Some(file) => Ok(file),
                    None => create(folder).map(|new| file.insert(new)),
                };
                opened.and_then(|file| file.write_all(&line))
            }
            Sink::Socket(stream) => stream.write_all(&line),
            Sink::Closed => Ok(()),
        };
        if written.is_err() {
            *self = Sink::Closed;
        }
    }

    /// A second handle on a worker's socket, to read commands from.
    pub(crate) fn commands(&self) -> Option<UnixStream> {
        match self {
            Sink::Socket(stream) => stream.try_clone().ok(),
            Sink::File { .. } | Sink::Closed => None,
        }
    }
}

fn create(folder: &std::path::Path) -> io::Result<File> {
    let pid = std::process::id();
    // A process id can come back within one build.
    for attempt in 0..1000 {
        let path = folder.join(format!("{pid}-{attempt}.jsonl"));
        match OpenOptions::new().append(true).create_new(true).mode(0o600).open(path) {
            Err(e) if e.kind() == io::ErrorKind::AlreadyExists => {}
            result => return result,
        }
    }
    Err(io::ErrorKind::AlreadyExists.into())
}
