//! The directories that are looked at, and what was in them at the last look.

use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::ops::Bound;
use std::path::{Path, PathBuf};

use surefoot_model::{Access, Difference, DifferenceKind, FileScope, StateChange};

use crate::changes::{Change, Touched, changes};
use crate::entry::Entry;
use crate::ignore::Ignore;
use crate::others::written_by_others;
use crate::scan::{Found, Scanner, children};
use crate::watch::{Paths, Watch};

/// In one directory and all below it. Directories beyond are not entered.
const MOST_ENTRIES: usize = 20_000;

/// More differences than this are not listed: nobody reads them.
const MOST_DIFFERENCES: usize = 100;

#[derive(Debug)]
pub struct Files {
    working_directory: PathBuf,
    roots: Vec<PathBuf>,
    ignore: Ignore,
    scanner: Scanner,
    /// None if the system does not tell what is touched: then everything is gone through each time.
    watch: Option<Watch>,
    known: BTreeMap<PathBuf, Entry>,
    /// Directories that are not entered, as there is too much in all.
    closed: BTreeSet<PathBuf>,
    /// Paths that others write too.
    busy: BTreeSet<PathBuf>,
}

/// Where a process runs.
#[derive(Debug, Clone)]
pub struct Surroundings {
    pub working_directory: PathBuf,
    pub temporary_directory: Option<PathBuf>,
}

impl Files {
    /// Reads everything. Also what is to be told: where more lies than is looked at.
    pub fn new(scope: &FileScope, surroundings: Surroundings) -> (Files, Vec<String>) {
        let Surroundings { working_directory, temporary_directory } = surroundings;
        let working_directory =
            std::fs::canonicalize(&working_directory).unwrap_or(working_directory);
        let named: Vec<PathBuf> = if scope.directories.is_empty() {
            [Some(PathBuf::from(".")), temporary_directory].into_iter().flatten().collect()
        } else {
            scope.directories.iter().map(PathBuf::from).collect()
        };
        let mut roots: Vec<PathBuf> = Vec::new();
        for directory in named {
            let directory = working_directory.join(directory);
            let directory = std::fs::canonicalize(&directory).unwrap_or(directory);
            if !roots.contains(&directory) {
                roots.push(directory);
            }
        }
        let mut files = Files {
            working_directory,
            roots,
            ignore: Ignore::new(&scope.ignore),
            scanner: Scanner::new(scope.most_bytes),
            watch: Watch::new().ok(),
            known: BTreeMap::new(),
            closed: BTreeSet::new(),
            busy: BTreeSet::new(),
        };
        for root in files.roots.clone() {
            let found = files.walk(&root, &BTreeMap::new());
            files.known.extend(found);
        }
        files.scanner.first_look_is_over();
        let troubles = files
            .roots
            .iter()
            .filter(|root| files.closed.iter().any(|closed| files.root_of(closed) == Some(root)));
        let troubles = troubles.map(|root| {
            format!(
                "below {} lie more than {MOST_ENTRIES} files; what changes in the rest is missed: name smaller directories with --files, or leave some out with --ignore-files",
                root.display()
            )
        });
        let troubles = troubles.collect();
        (files, troubles)
    }

    /// What changed since the last look. Paths that were written without a change are told too.
    pub fn look(&mut self) -> StateChange {
        let touched = self.touched();
        let all = changes(&touched);
        self.leave_what_others_write(&all);
        let mut differences: Vec<Difference> = all
            .into_iter()
            .filter(|change| !self.busy.contains(&change.path))
            .filter_map(|change| self.difference(change))
            .collect();
        differences.sort_by_cached_key(|one| (one.steps, one.path.clone()));
        let more = differences.len().saturating_sub(MOST_DIFFERENCES) as u64;
        differences.truncate(MOST_DIFFERENCES);
        StateChange { differences, more, ..StateChange::default() }
    }

    /// What changed since the last look can be put down to nobody.
    pub fn forget(&mut self) {
        self.touched();
    }

    /// No test ran since the last look. What changed outside of the working directory is mostly what other programs write, and
    /// may write again: it is left out from now on.
    pub fn leave_to_others(&mut self) {
        let touched = self.touched();
        let own = &self.working_directory;
        self.busy.extend(touched.into_keys().filter(|path| !path.starts_with(own)));
    }

    /// Of what was there before, outside of the working directory: a log, say, that another program has open.
    fn leave_what_others_write(&mut self, changes: &[Change]) {
        let may_be_theirs = |change: &&Change| {
            let had_changed =
                [DifferenceKind::Value, DifferenceKind::Content].contains(&change.kind);
            had_changed
                && !change.path.starts_with(&self.working_directory)
                && !self.busy.contains(&change.path)
        };
        let paths: BTreeSet<PathBuf> =
            changes.iter().filter(may_be_theirs).map(|change| change.path.clone()).collect();
        if !paths.is_empty() {
            self.busy.extend(written_by_others(&paths));
        }
    }

    fn touched(&mut self) -> Touched {
        let mut touched = Touched::new();
        match self.watch.as_mut().map(Watch::touched) {
            Some(Ok(paths)) => self.look_at(paths, &mut touched),
            _ => {
                for root in self.roots.clone() {
                    self.look_below(&root, &mut touched);
                }
            }
        }
        touched
    }

    fn look_at(&mut self, mut paths: Paths, touched: &mut Touched) {
        // A directory that was not there to be watched.
        let missing = self.roots.iter().filter(|root| !self.known.contains_key(*root));
        paths.extend(missing.map(|root| (root.clone(), true)));
        for (path, appeared) in paths {
            if self.is_ignored(&path) {
                continue;
            }
            let known = self.known.get(&path);
            // It was touched, whatever its stamp says.
            let Some(Found { entry, .. }) = self.scanner.at(&path, None) else {
                self.look_below(&path, touched);
                continue;
            };
            let was_directory = known.is_some_and(Entry::is_directory);
            if was_directory != entry.is_directory() || was_directory && appeared {
                self.look_below(&path, touched);
                continue;
            }
            let before = self.known.insert(path.clone(), entry.clone());
            touched.entry(path).or_insert((before, None)).1 = Some(entry);
        }
    }

    /// All of what is there now, and all of what was.
    fn look_below(&mut self, path: &Path, touched: &mut Touched) {
        let was = self.take_below(path);
        let is = self.walk(path, &was);
        for (path, entry) in &is {
            let before = was.get(path);
            if before.is_none_or(|before| before.stamp != entry.stamp || !before.is_like(entry)) {
                let before = before.cloned();
                touched.entry(path.clone()).or_insert((before, None)).1 = Some(entry.clone());
            }
        }
        for (path, entry) in was {
            if !is.contains_key(&path) {
                touched.entry(path).or_insert((Some(entry), None)).1 = None;
            }
        }
        self.known.extend(is);
    }

    fn take_below(&mut self, path: &Path) -> BTreeMap<PathBuf, Entry> {
        let range = self.known.range::<Path, _>((Bound::Included(path), Bound::Unbounded));
        let below = range.take_while(|(other, _)| other.starts_with(path));
        let paths: Vec<PathBuf> = below.map(|(path, _)| path.clone()).collect();
        // Where another directory that is looked at lies in this one, its entries stay.
        let own = paths.into_iter().filter(|other| self.root_of(other) == self.root_of(path));
        let own: Vec<PathBuf> = own.collect();
        own.into_iter().filter_map(|path| self.known.remove_entry(&path)).collect()
    }

    /// From the top down, so that of too much the deepest is missed. Each directory is watched before it is read.
    fn walk(&mut self, from: &Path, known: &BTreeMap<PathBuf, Entry>) -> BTreeMap<PathBuf, Entry> {
        let mut found = BTreeMap::new();
        let mut device = None;
        let mut open = VecDeque::from([from.to_owned()]);
        while let Some(path) = open.pop_front() {
            let Some(Found { entry, device: own }) = self.scanner.at(&path, known.get(&path))
            else {
                continue;
            };
            let is_directory = entry.is_directory();
            found.insert(path.clone(), entry);
            // Another file system is somebody else's business.
            if !is_directory || *device.get_or_insert(own) != own || self.closed.contains(&path) {
                continue;
            }
            if found.len() + open.len() >= MOST_ENTRIES {
                self.closed.insert(path);
                continue;
            }
            if self.watch.as_mut().is_some_and(|watch| watch.add(&path).is_err()) {
                self.watch = None;
            }
            let inside = children(&path).into_iter();
            open.extend(inside.filter(|path| !self.roots.contains(path) && !self.is_ignored(path)));
        }
        found
    }

    fn root_of(&self, path: &Path) -> Option<&PathBuf> {
        let above = self.roots.iter().filter(|root| path.starts_with(root));
        above.max_by_key(|root| root.components().count())
    }

    /// By itself; whatever lies in an ignored directory is never met.
    fn is_ignored(&self, path: &Path) -> bool {
        self.root_of(path).is_none_or(|root| path != root && self.ignore.covers(path, root))
    }

    fn difference(&self, change: Change) -> Option<Difference> {
        let root = self.root_of(&change.path)?;
        let steps = change.path.strip_prefix(root).ok()?.components().count();
        Some(Difference {
            root: self.shown(root),
            path: self.shown(&change.path),
            steps: u32::try_from(steps).unwrap_or(u32::MAX),
            field: None,
            through: Vec::new(),
            access: Access::File,
            kind: change.kind,
            before: change.before,
            after: change.after,
        })
    }

    fn shown(&self, path: &Path) -> String {
        match path.strip_prefix(&self.working_directory) {
            Ok(own) if own.as_os_str().is_empty() => ".".to_owned(),
            Ok(own) => own.to_string_lossy().into_owned(),
            Err(_) => path.to_string_lossy().into_owned(),
        }
    }
}
