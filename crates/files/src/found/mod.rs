//! Files as tests found them: what lay in a directory right before the first test that ran there, kept, so that others can start
//! from it whatever tests make of it.
//!
//! [`Found::keep`] is for whoever is about to run tests, the rest for whoever asked for that and wants to know later. What is
//! kept for one run of tests is brought up to date for the next, so that only what changed is copied. docs/store.md has the layout.

mod copy;
mod tree;

use std::fs::{self, File};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use xxhash_rust::xxh3::xxh3_128;

pub use copy::Size;
use tree::{Limit, Tree};

const LIMIT: Limit = Limit { files: 20_000, bytes: 256 << 20 };

/// When the last test that was watched had ended; what changed later, somebody else did.
const ENDED: &str = "ended";

/// All of a directory was kept; the note says what that cost.
const KEPT: &str = "kept";

/// All that is kept, by the directory that it is from.
#[derive(Debug, Clone)]
pub struct Found {
    folder: PathBuf,
}

impl Found {
    pub fn in_folder(folder: PathBuf) -> Found {
        Found { folder }
    }

    /// Tests are about to be watched: what those before them found does not count any more.
    pub fn begin(&self) -> io::Result<()> {
        fs::create_dir_all(&self.folder)?;
        for entry in fs::read_dir(&self.folder)? {
            let entry = entry?;
            if !entry.file_type()?.is_dir() {
                fs::remove_file(entry.path())?;
            }
        }
        Ok(())
    }

    /// Tests are about to run in this directory. Only the first who says so sees the files as they were found.
    pub fn keep(&self, directory: &Path) {
        let kept = self.of(directory);
        if File::create_new(kept.note("begun")).is_err() {
            return;
        }
        let started = Instant::now();
        let result = tree::read(&kept.directory, LIMIT)
            .and_then(|wanted| copy::bring(&kept.directory, &wanted, &kept.tree()));
        let took = started.elapsed().as_millis();
        // Where not even this can be written, nothing was kept, and that is what will be said.
        let _ = match result {
            Ok(size) => fs::write(kept.note(KEPT), format!("{} {took}", size.bytes)),
            Err(error) => fs::write(kept.note("failed"), error.to_string()),
        };
    }

    /// The tests that were watched are over. What was kept for others, and long ago, goes.
    pub fn end(&self) -> io::Result<()> {
        for entry in fs::read_dir(&self.folder)? {
            let path = entry?.path();
            if path.is_dir() && !path.with_extension(KEPT).exists() {
                fs::remove_dir_all(path)?;
            }
        }
        File::create(self.folder.join(ENDED))?.write_all(b"\n")
    }

    /// How many bytes were copied to keep what was found, and how long that took, in all directories together.
    pub fn cost(&self) -> (u64, Duration) {
        let entries = fs::read_dir(&self.folder).into_iter().flatten().flatten();
        let notes = entries.filter(|entry| entry.path().extension().is_some_and(|of| of == KEPT));
        let costs = notes.filter_map(|note| {
            let text = fs::read_to_string(note.path()).ok()?;
            let (bytes, took) = text.split_once(' ')?;
            Some((bytes.parse::<u64>().ok()?, Duration::from_millis(took.parse().ok()?)))
        });
        costs.fold((0, Duration::ZERO), |(bytes, took), one| (bytes + one.0, took + one.1))
    }

    /// What was found in this directory; or why that is not known.
    pub fn files(&self, directory: &Path) -> Result<Kept, String> {
        let kept = self.of(directory);
        if kept.note(KEPT).exists() {
            return Ok(kept);
        }
        Err(fs::read_to_string(kept.note("failed"))
            .unwrap_or_else(|_| "what was in it before the tests was not kept".to_owned()))
    }

    fn of(&self, directory: &Path) -> Kept {
        let directory = fs::canonicalize(directory).unwrap_or_else(|_| directory.to_owned());
        let name = format!("{:032x}", xxh3_128(directory.as_os_str().as_encoded_bytes()));
        Kept { directory, folder: self.folder.clone(), name }
    }
}

/// What lay in one directory.
#[derive(Debug, Clone)]
pub struct Kept {
    directory: PathBuf,
    folder: PathBuf,
    name: String,
}

impl Kept {
    /// A path below the directory that is not as it was found, whether made, changed or removed.
    pub fn first_difference(&self, counts: impl Fn(&Path) -> bool) -> io::Result<Option<PathBuf>> {
        let tree = self.tree();
        let (found, now) =
            (tree::read(&tree, Limit::NONE)?, tree::read(&self.directory, Limit::NONE)?);
        Ok(copy::differences((&tree, &found), (&self.directory, &now), counts).next().cloned())
    }

    /// All of them.
    pub fn differences(&self, counts: impl Fn(&Path) -> bool) -> io::Result<Vec<PathBuf>> {
        let tree = self.tree();
        let (found, now) =
            (tree::read(&tree, Limit::NONE)?, tree::read(&self.directory, Limit::NONE)?);
        Ok(copy::differences((&tree, &found), (&self.directory, &now), counts).cloned().collect())
    }

    /// A copy of what was found.
    pub fn copy_to(&self, to: &Path) -> io::Result<Size> {
        let tree = self.tree();
        copy::bring(&tree, &tree::read(&tree, Limit::NONE)?, to)
    }

    /// What somebody changed since the tests ended is found from now on.
    pub fn renew(&self) -> io::Result<()> {
        let Some(ended) = tree::changed(&self.folder.join(ENDED)) else { return Ok(()) };
        let tree = self.tree();
        let (found, now) = (tree::read(&tree, Limit::NONE)?, tree::read(&self.directory, LIMIT)?);
        let changed_since = |path: &Path| {
            // Of what was removed, the directory that it was in tells when.
            let mut there = path.ancestors().map(|above| self.directory.join(above));
            there.find_map(|path| tree::changed(&path)).is_some_and(|changed| changed > ended)
        };
        let mut wanted = Tree::new();
        for path in found.keys().chain(now.keys()) {
            let changed = found.get(path) != now.get(path) && changed_since(path);
            if let Some(node) = if changed { now.get(path) } else { found.get(path) } {
                wanted.insert(path.clone(), node.clone());
            }
        }
        copy::bring(&self.directory, &wanted, &tree).map(drop)
    }

    /// Where what was found is kept.
    pub fn tree(&self) -> PathBuf {
        self.folder.join(&self.name)
    }

    fn note(&self, what: &str) -> PathBuf {
        self.folder.join(&self.name).with_extension(what)
    }
}
