//! Copies of the directory that a test VM runs in, so that an experiment finds the files that the watched run found, and
//! spoils them for no other. The user's own files are never touched.

use std::collections::BTreeMap;
use std::fs::{self, File, FileTimes, Metadata};
use std::io;
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use anyhow::{Context, Result, bail};
use surefoot_files::Ignore;
use surefoot_model::{Launch, Watch};

/// More is not copied: it would take longer than the tests, and there may be many copies at a time.
const MOST_FILES: u64 = 20_000;
const MOST_BYTES: u64 = 256 << 20;

/// Shutdown hooks write files too, after the last that a VM tells.
const SHUT_DOWN: Duration = Duration::from_secs(10);

/// Never copied: our own, and what no test should depend on.
const LEFT_OUT: &[&str] = &[".surefoot", ".git"];

#[derive(Debug)]
pub(crate) struct Workspaces {
    folder: PathBuf,
    /// When VMs that ran in a directory were watched.
    watched: BTreeMap<String, Range<SystemTime>>,
    /// Since then, experiments run.
    opened: SystemTime,
    /// What builds and tools write while tests run.
    ignore: Ignore,
}

/// What there is to copy.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Size {
    pub(crate) files: u64,
    pub(crate) bytes: u64,
}

impl Workspaces {
    /// Copies are made in `folder`.
    pub(crate) fn new(folder: &Path, watch: &Watch) -> Workspaces {
        let mut watched: BTreeMap<String, Range<SystemTime>> = BTreeMap::new();
        let time = |ms: u64| UNIX_EPOCH + Duration::from_millis(ms);
        for vm in &watch.vms {
            let Some(launch) = watch.launches.get(&vm.launch) else { continue };
            let (from, to) = (time(vm.lived_ms.start), time(vm.lived_ms.end) + SHUT_DOWN);
            let range = watched.entry(launch.directory.clone()).or_insert(from..to);
            *range = range.start.min(from)..range.end.max(to);
        }
        let (folder, opened) = (folder.join("files"), SystemTime::now());
        Workspaces { folder, watched, opened, ignore: Ignore::default() }
    }

    pub(crate) fn ignore(&mut self, patterns: &[String]) {
        self.ignore = Ignore::new(patterns);
    }

    /// A file in this directory that tests left, when they were watched or since.
    pub(crate) fn left_in(&self, directory: &str) -> Option<PathBuf> {
        let (root, made) = (Path::new(directory), self.made_in(directory));
        let mut open = vec![root.to_owned()];
        let mut seen = 0;
        while let Some(directory) = open.pop() {
            for entry in fs::read_dir(directory).into_iter().flatten().flatten() {
                let (path, name) = (entry.path(), entry.file_name());
                let left_out = LEFT_OUT.iter().any(|left_out| name == *left_out);
                if left_out || self.ignore.covers(&path, root) {
                    continue;
                }
                let Ok(metadata) = path.symlink_metadata() else { continue };
                if made.covers(&metadata) {
                    return Some(path);
                }
                seen += 1;
                if metadata.is_dir() && seen <= MOST_FILES {
                    open.push(path);
                }
            }
        }
        None
    }

    fn made_in(&self, directory: &str) -> Made {
        let watched = self.watched.get(directory).cloned();
        Made { watched: watched.unwrap_or(UNIX_EPOCH..UNIX_EPOCH), opened: self.opened }
    }

    /// The launch in a copy of its directory, which is made if there is none of this name; and what was copied.
    pub(crate) fn launch_in(&self, launch: &Launch, name: &str) -> Result<(Launch, Size)> {
        let from = Path::new(&launch.directory);
        let to = self.folder.join(name).join(from.file_name().unwrap_or("directory".as_ref()));
        let mut copy = Copy { size: Size::default(), made: self.made_in(&launch.directory) };
        if !to.exists()
            && let Err(error) = copy.tree(from, &to)
        {
            self.remove(name);
            return Err(error).context(format!("{} cannot be copied", launch.directory));
        }
        Ok((moved(launch, &to.to_string_lossy()), copy.size))
    }

    pub(crate) fn remove(&self, name: &str) {
        // What cannot be removed now goes with the run's directory.
        let _ = fs::remove_dir_all(self.folder.join(name));
    }

    pub(crate) fn remove_all(&self) {
        let _ = fs::remove_dir_all(&self.folder);
    }
}

/// What copies took in all.
#[derive(Debug, Default)]
pub(crate) struct Copies {
    number: u64,
    bytes: u64,
    time: Duration,
}

impl Copies {
    pub(crate) fn add(&mut self, size: Size, time: Duration) {
        // One that was there already took nothing.
        self.number += u64::from(size.files > 0);
        self.bytes += size.bytes;
        self.time += time;
    }

    pub(crate) fn words(&self) -> Option<String> {
        let (number, mib, seconds) = (self.number, self.bytes >> 20, self.time.as_secs_f64());
        let copies = if number == 1 { "copy" } else { "copies" };
        (number > 0).then(|| {
            format!("{number} {copies} of directories, {mib} MiB in all, took {seconds:.1} s and are removed")
        })
    }
}

/// When tests ran, and so when what they leave came into being.
struct Made {
    watched: Range<SystemTime>,
    opened: SystemTime,
}

impl Made {
    fn covers(&self, metadata: &Metadata) -> bool {
        // Of a file system that does not know the time of birth nothing is known.
        metadata
            .created()
            .is_ok_and(|created| self.watched.contains(&created) || created >= self.opened)
    }
}

struct Copy {
    size: Size,
    made: Made,
}

impl Copy {
    fn tree(&mut self, from: &Path, to: &Path) -> Result<()> {
        fs::create_dir_all(to)?;
        let mut open = vec![(from.to_owned(), to.to_owned())];
        while let Some((from, to)) = open.pop() {
            for entry in fs::read_dir(&from)? {
                let entry = entry?;
                let name = entry.file_name();
                // A file may go while we copy: somebody works in the project.
                let Ok(metadata) = entry.path().symlink_metadata() else { continue };
                if LEFT_OUT.iter().any(|left_out| name == *left_out) || self.made.covers(&metadata)
                {
                    continue;
                }
                let target = to.join(&name);
                if metadata.is_dir() {
                    fs::create_dir(&target)?;
                    open.push((entry.path(), target));
                } else if metadata.is_symlink() {
                    std::os::unix::fs::symlink(fs::read_link(entry.path())?, target)?;
                } else if metadata.is_file() {
                    self.count(&metadata)?;
                    copy_file(&entry.path(), &target, &metadata)?;
                }
            }
        }
        Ok(())
    }

    fn count(&mut self, metadata: &Metadata) -> Result<()> {
        self.size.files += 1;
        self.size.bytes += metadata.len();
        if self.size.files > MOST_FILES || self.size.bytes > MOST_BYTES {
            bail!("it holds more than {MOST_FILES} files or {} MiB", MOST_BYTES >> 20);
        }
        Ok(())
    }
}

fn copy_file(from: &Path, to: &Path, metadata: &Metadata) -> io::Result<()> {
    match fs::copy(from, to) {
        Err(error) if error.kind() == io::ErrorKind::NotFound && !from.exists() => return Ok(()),
        copied => copied?,
    };
    // Read-only files keep their times of now: nobody but their owner's tools may open them.
    if let (Ok(modified), Ok(file)) = (metadata.modified(), File::options().write(true).open(to)) {
        file.set_times(FileTimes::new().set_modified(modified))?;
    }
    Ok(())
}

/// With another directory, wherever the launch speaks of it.
fn moved(launch: &Launch, to: &str) -> Launch {
    let from = launch.directory.clone();
    let text = |text: &String| replaced(text, &from, to);
    let texts = |texts: &[String]| texts.iter().map(text).collect();
    let values = |map: &BTreeMap<String, String>| {
        map.iter().map(|(name, value)| (name.clone(), text(value))).collect()
    };
    Launch {
        options: texts(&launch.options),
        class_path: texts(&launch.class_path),
        class_path_property: text(&launch.class_path_property),
        properties: values(&launch.properties),
        configuration: values(&launch.configuration),
        environment: values(&launch.environment),
        directory: to.to_owned(),
        ..launch.clone()
    }
}

/// The path and what is below it, but not `/a/bc` for `/a/b`, nor `/x/a/b`.
fn replaced(text: &str, from: &str, to: &str) -> String {
    let is_name = |c: char| c.is_alphanumeric() || "._-".contains(c);
    let mut result = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find(from) {
        let (before, after) = (&rest[..at], &rest[at + from.len()..]);
        let whole =
            !before.ends_with(|c: char| is_name(c) || c == '/') && !after.starts_with(is_name);
        result.push_str(before);
        result.push_str(if whole { to } else { from });
        rest = after;
    }
    result + rest
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_path_is_replaced_where_it_is_whole() {
        let replaced = |text| replaced(text, "/a/b", "/c");
        assert_eq!(replaced("/a/b"), "/c");
        assert_eq!(replaced("-Dx=/a/b/target:/a/b"), "-Dx=/c/target:/c");
        assert_eq!(replaced("file:/a/b/"), "file:/c/");
        assert_eq!(replaced("/a/bc /x/a/b /a/b-1"), "/a/bc /x/a/b /a/b-1");
    }
}
