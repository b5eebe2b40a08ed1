//! From what is at each touched path, before and after, to differences that people can read. Pure.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use surefoot_model::DifferenceKind;

use crate::entry::{Entry, Kind};

/// Paths that somebody touched, each with what was there and what is there.
pub(crate) type Touched = BTreeMap<PathBuf, (Option<Entry>, Option<Entry>)>;

#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Change {
    pub(crate) path: PathBuf,
    pub(crate) kind: DifferenceKind,
    pub(crate) before: Option<String>,
    pub(crate) after: Option<String>,
}

/// By path. What is in a directory that came or went is no change of its own.
pub(crate) fn changes(touched: &Touched) -> Vec<Change> {
    let mut changes: Vec<Change> = Vec::new();
    let mut covered_by: Option<&Path> = None;
    for (path, (before, after)) in touched {
        if covered_by.is_some_and(|above| path.starts_with(above)) {
            continue;
        }
        let Some(kind) = kind(before.as_ref(), after.as_ref()) else { continue };
        let is_directory = |entry: &Option<Entry>| entry.as_ref().is_some_and(Entry::is_directory);
        if is_directory(before) != is_directory(after) {
            covered_by = Some(path);
        }
        let (before, after) = match (before, after) {
            (Some(before), Some(after)) if before.is_of_kind(after) => sides(before, after),
            (before, after) => {
                let below = |entry: &Option<Entry>, side: fn(&Sides) -> bool| {
                    entry.as_ref().map(|entry| whole(entry, path, touched, side))
                };
                (below(before, |sides| sides.0.is_some()), below(after, |sides| sides.1.is_some()))
            }
        };
        changes.push(Change { path: path.clone(), kind, before, after });
    }
    changes
}

type Sides = (Option<Entry>, Option<Entry>);

/// None if nobody could tell that it was touched.
fn kind(before: Option<&Entry>, after: Option<&Entry>) -> Option<DifferenceKind> {
    Some(match (before, after) {
        (None, None) => return None,
        (None, Some(_)) => DifferenceKind::Added,
        (Some(_), None) => DifferenceKind::Removed,
        (Some(before), Some(after)) if before.is_like(after) => {
            // A directory in which something came or went: that is told.
            if before.is_directory() {
                return None;
            }
            DifferenceKind::Rewritten
        }
        (Some(before), Some(after)) => match (&before.kind, &after.kind) {
            (Kind::File { size, .. }, Kind::File { size: other, .. })
                if size == other && before.mode == after.mode =>
            {
                DifferenceKind::Content
            }
            _ => DifferenceKind::Value,
        },
    })
}

/// Of two entries of one kind. The mode is only told where it differs.
fn sides(before: &Entry, after: &Entry) -> (Option<String>, Option<String>) {
    if before.mode == after.mode {
        return (Some(before.to_string()), Some(after.to_string()));
    }
    let told = |entry: &Entry| Some(format!("{entry} with mode {:o}", entry.mode));
    (told(before), told(after))
}

/// A directory with the number of files that came or went with it.
fn whole(entry: &Entry, path: &Path, touched: &Touched, side: fn(&Sides) -> bool) -> String {
    if !entry.is_directory() {
        return entry.to_string();
    }
    let below =
        touched.range::<Path, _>((std::ops::Bound::Excluded(path), std::ops::Bound::Unbounded));
    let below = below.take_while(|(other, _)| other.starts_with(path));
    match below.filter(|(_, sides)| side(sides)).count() {
        0 => "empty directory".to_owned(),
        1 => "directory with 1 entry".to_owned(),
        count => format!("directory with {count} entries"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::entry::Stamp;

    fn entry(kind: Kind, mode: u32) -> Entry {
        Entry { kind, mode, stamp: Stamp { inode: 1, changed: 0 }, settled: true }
    }

    fn file(size: u64, content: u128) -> Option<Entry> {
        Some(entry(Kind::File { size, content: Some(content) }, 0o644))
    }

    fn directory() -> Option<Entry> {
        Some(entry(Kind::Directory, 0o755))
    }

    fn told(touched: &[(&str, Option<Entry>, Option<Entry>)]) -> Vec<String> {
        let touched: Touched = touched
            .iter()
            .map(|(path, before, after)| (PathBuf::from(path), (before.clone(), after.clone())))
            .collect();
        let side = |text: Option<String>| text.unwrap_or_else(|| "nothing".to_owned());
        changes(&touched)
            .into_iter()
            .map(|change| {
                let (before, after) = (side(change.before), side(change.after));
                format!("{} {:?}: {before} → {after}", change.path.display(), change.kind)
            })
            .collect()
    }

    #[test]
    fn every_way_to_change_is_told_apart() {
        let link = |target: &str| Some(entry(Kind::Link { target: target.into() }, 0o777));
        let unread = |size| Some(entry(Kind::File { size, content: None }, 0o644));
        let with_mode = |mode| Some(entry(Kind::File { size: 1, content: Some(1) }, mode));
        assert_eq!(
            told(&[
                ("/a", None, file(3, 1)),
                ("/b", file(0, 1), None),
                ("/c", file(3, 1), file(3, 2)),
                ("/d", file(3, 1), file(4, 2)),
                ("/e", with_mode(0o644), with_mode(0o600)),
                ("/f", link("x"), link("y")),
                ("/g", file(3, 1), file(3, 1)),
                ("/h", unread(9), unread(9)),
                ("/i", None, None),
                ("/j", file(1, 1), directory()),
                ("/k", unread(9), file(9, 1)),
            ]),
            [
                "/a Added: nothing → file of 3 bytes",
                "/b Removed: empty file → nothing",
                "/c Content: file of 3 bytes → file of 3 bytes",
                "/d Value: file of 3 bytes → file of 4 bytes",
                "/e Value: file of 1 byte with mode 644 → file of 1 byte with mode 600",
                "/f Value: link to x → link to y",
                "/g Rewritten: file of 3 bytes → file of 3 bytes",
                "/h Rewritten: file of 9 bytes → file of 9 bytes",
                "/j Value: file of 1 byte → empty directory",
                "/k Rewritten: file of 9 bytes → file of 9 bytes",
            ]
        );
    }

    #[test]
    fn what_comes_or_goes_with_its_directory_is_one_change() {
        assert_eq!(
            told(&[
                ("/a", None, directory()),
                ("/a/b", None, directory()),
                ("/a/b/c", None, file(1, 1)),
                ("/ab", None, file(1, 1)),
                ("/d", directory(), None),
                ("/d/e", file(1, 1), None),
                ("/f", directory(), directory()),
                ("/f/g", None, file(1, 1)),
            ]),
            [
                "/a Added: nothing → directory with 2 entries",
                "/ab Added: nothing → file of 1 byte",
                "/d Removed: directory with 1 entry → nothing",
                "/f/g Added: nothing → file of 1 byte",
            ]
        );
    }
}
