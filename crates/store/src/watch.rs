//! One watched run of the user's command: `watches/0001/`.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};
use surefoot_model::{Event, Observation};

use crate::damage::Damage;
use crate::error::StoreError;
use crate::files;
use crate::jsonl::{self, Appender, Reading};
use crate::lock::Lock;
use crate::numbered;

const RECORD: &str = "watch.jsonl";
const VMS: &str = "vms";
/// The agent in a test VM looks for it beside the directory that it writes to.
const OBSERVATION: &str = "observe.json";
/// So is this: where the files that tests find are kept.
const KEEP_FILES: &str = "keep-files";
/// And this: it is to tell which classes were initialised.
const TELL_CLASSES: &str = "tell-classes";

/// And this: the name of the socket at which it may leave processes for workers.
const PARENTS: &str = "parents";

/// What is known before the command starts.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct WatchHeader {
    /// The user's command and its arguments.
    pub command: Vec<String>,
    /// Where it was started.
    pub directory: String,
    /// Unix time in seconds.
    pub started: u64,
    /// The Surefoot that watched.
    pub surefoot: String,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct WatchEnd {
    #[serde(flatten)]
    pub command: CommandEnd,
    /// Unix time in seconds.
    pub finished: u64,
}

/// How the user's command ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "how", rename_all = "kebab-case")]
pub enum CommandEnd {
    Exited { status: i32 },
    Killed { signal: i32 },
}

/// A line of `watch.jsonl`.
#[derive(Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
enum Line {
    Header(WatchHeader),
    End(WatchEnd),
}

/// A watched run that is going on.
#[derive(Debug)]
pub struct WatchDir {
    number: u32,
    path: PathBuf,
    record: Appender,
}

impl Lock {
    /// Starts the record of a watched run and removes the oldest ones.
    pub fn begin_watch(&self, header: WatchHeader) -> Result<WatchDir, StoreError> {
        let (number, path) = numbered::begin(&self.store.watches(), |unfinished| {
            files::ensure_directory(&unfinished.join(VMS))?;
            Appender::create(&unfinished.join(RECORD))?.append(&Line::Header(header))
        })?;
        let record = Appender::reopen(&path.join(RECORD))?;
        Ok(WatchDir { number, path, record })
    }

    /// Where the files that the newest watched run found are kept. Absolute.
    pub fn found_dir(&self) -> PathBuf {
        self.store.found()
    }
}

impl WatchDir {
    pub fn number(&self) -> u32 {
        self.number
    }

    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Where each test VM writes its own file, `<pid>-<n>.jsonl`, of [`Event`] lines. Absolute.
    pub fn vms_dir(&self) -> PathBuf {
        self.path.join(VMS)
    }

    /// Has the test VMs look at the state around each test. Before the command starts.
    pub fn observe(&self, observation: &Observation) -> Result<(), StoreError> {
        let path = self.path.join(OBSERVATION);
        let text = serde_json::to_vec(observation)
            .map_err(|e| StoreError::io("write", &path)(e.into()))?;
        files::write_whole(&path, &text)
    }

    /// Has test VMs leave parents of workers behind, which connect to the socket of this name. Before the command starts.
    pub fn leave_parents(&self, socket: &str) -> Result<(), StoreError> {
        files::write_whole(&self.path.join(PARENTS), socket.as_bytes())
    }

    /// Has the test VMs keep the files that their tests find. Before the command starts.
    pub fn keep_files(&self, folder: &Path) -> Result<(), StoreError> {
        files::write_whole(&self.path.join(KEEP_FILES), folder.as_os_str().as_encoded_bytes())
    }

    /// Has the test VMs tell which classes they have initialised. Before the command starts.
    pub fn tell_classes(&self) -> Result<(), StoreError> {
        files::write_whole(&self.path.join(TELL_CLASSES), b"")
    }

    /// Forgets the watched run: the command could not even be started.
    pub fn discard(self) -> Result<(), StoreError> {
        fs::remove_dir_all(&self.path).map_err(StoreError::io("remove", &self.path))
    }

    /// Fails on a full disk, even if this record just fits: test VMs that met the same full disk could tell nobody that
    /// theirs did not.
    pub fn finish(mut self, end: WatchEnd) -> Result<(), StoreError> {
        self.record.append(&Line::End(end))?;
        let room = files::try_for_room(&self.path);
        room.map_err(StoreError::io("be sure that all tests are recorded in", &self.path))
    }
}

/// A watched run, read back.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StoredWatch {
    pub number: u32,
    pub path: PathBuf,
    pub header: WatchHeader,
    /// None if it is still going on, or Surefoot was killed meanwhile.
    pub end: Option<WatchEnd>,
    /// By pid, then by number; files with other names come after them, by name.
    pub vms: Vec<VmRecord>,
    pub damages: Vec<Damage>,
}

/// The file of one test VM.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct VmRecord {
    /// Below the watched run's directory: `vms/123-0.jsonl`.
    pub file: String,
    pub events: Vec<Event>,
    /// The VM was killed while it wrote its last line.
    pub truncated: bool,
}

impl StoredWatch {
    pub(crate) fn read(watches: &Path, number: u32) -> Result<Self, StoreError> {
        let path = watches.join(numbered::name(number));
        let mut header = None;
        let mut end = None;
        let record = &path.join(RECORD);
        let Reading { mut damages, .. } = jsonl::read(record, RECORD, |line| match line {
            Line::Header(it) => header = Some(it),
            Line::End(it) => end = Some(it),
        })?;
        let header = header.ok_or_else(|| StoreError::Damaged {
            path: record.clone(),
            what: "its first line, on what was watched, cannot be read",
        })?;

        let mut vms = Vec::new();
        for name in vm_files(&path.join(VMS))? {
            let file = format!("{VMS}/{}", name.to_string_lossy());
            let mut events = Vec::new();
            let reading =
                jsonl::read(&path.join(VMS).join(&name), &file, |event| events.push(event))?;
            damages.extend(reading.damages);
            vms.push(VmRecord { file, events, truncated: reading.truncated });
        }
        Ok(StoredWatch { number, path, header, end, vms, damages })
    }
}

/// Names of the regular files `*.jsonl`; anything else, a pipe say, might never end.
fn vm_files(directory: &Path) -> Result<Vec<std::ffi::OsString>, StoreError> {
    let list = || -> io::Result<Vec<_>> {
        let mut names = Vec::new();
        for entry in fs::read_dir(directory)? {
            let entry = entry?;
            let name = entry.file_name();
            let is_record = Path::new(&name).extension().is_some_and(|it| it == "jsonl");
            if is_record && entry.file_type()?.is_file() {
                names.push(name);
            }
        }
        Ok(names)
    };
    let mut names = list().map_err(StoreError::io("read", directory))?;
    names.sort_by_cached_key(|name| {
        let place = name.to_str().and_then(place);
        (place.is_none(), place, name.clone())
    });
    Ok(names)
}

/// Pid and number in `123-0.jsonl`.
fn place(name: &str) -> Option<(u32, u32)> {
    let (pid, number) = name.strip_suffix(".jsonl")?.split_once('-')?;
    Some((pid.parse().ok()?, number.parse().ok()?))
}
