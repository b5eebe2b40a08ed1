//! Real directories, with what programs do to them.

#![allow(clippy::unwrap_used, reason = "what fails here fails the test")]

use std::collections::BTreeMap;
use std::fs;
use std::os::unix::fs::{PermissionsExt, symlink};
use std::path::Path;

use proptest::prelude::*;
use surefoot_files::{Files, Surroundings};
use surefoot_model::{FileScope, StateChange};
use tempfile::TempDir;

struct Place {
    folder: TempDir,
    files: Files,
}

fn scope(directories: &[&str], ignore: &[&str]) -> FileScope {
    let owned = |texts: &[&str]| texts.iter().map(|&text| text.to_owned()).collect();
    FileScope { directories: owned(directories), ignore: owned(ignore), most_bytes: 1 << 16 }
}

impl Place {
    /// `prepare` makes what is there before the first look.
    fn new(scope: &FileScope, prepare: impl FnOnce(&Path)) -> Place {
        let folder = tempfile::tempdir().unwrap();
        let root = folder.path().canonicalize().unwrap();
        for name in ["work", "temporary"] {
            fs::create_dir(root.join(name)).unwrap();
        }
        prepare(&root.join("work"));
        let surroundings = Surroundings {
            working_directory: root.join("work"),
            temporary_directory: Some(root.join("temporary")),
        };
        let (files, troubles) = Files::new(scope, surroundings);
        assert_eq!(troubles, [] as [&str; 0]);
        Place { folder, files }
    }

    fn work(&self) -> std::path::PathBuf {
        self.folder.path().join("work")
    }

    fn look(&mut self) -> Vec<String> {
        let root = self.folder.path().canonicalize().unwrap();
        told(&self.files.look())
            .into_iter()
            .map(|line| line.replace(root.to_str().unwrap(), "…"))
            .collect()
    }
}

fn told(change: &StateChange) -> Vec<String> {
    let side = |text: &Option<String>| text.clone().unwrap_or_else(|| "nothing".into());
    let lines = change.differences.iter().map(|one| {
        let (before, after) = (side(&one.before), side(&one.after));
        format!("{}: {} {:?}: {before} → {after}", one.root, one.path, one.kind)
    });
    lines.collect()
}

fn write(path: &Path, text: &str) {
    fs::write(path, text).unwrap();
}

#[test]
fn each_look_tells_what_changed_since_the_last() {
    let mut place = Place::new(&scope(&[], &[]), |work| {
        fs::create_dir_all(work.join("a/b")).unwrap();
        write(&work.join("a/b/old"), "old");
        write(&work.join("gone"), "");
        write(&work.join("moved"), "moved");
        write(&work.join("mode"), "m");
        symlink("here", work.join("link")).unwrap();
    });
    assert_eq!(place.look(), [] as [&str; 0]);
    let work = place.work();
    write(&work.join("a/b/old"), "new");
    write(&work.join("a/b/same"), "1");
    fs::remove_file(work.join("gone")).unwrap();
    fs::rename(work.join("moved"), work.join("a/moved")).unwrap();
    fs::set_permissions(work.join("mode"), fs::Permissions::from_mode(0o600)).unwrap();
    fs::remove_file(work.join("link")).unwrap();
    symlink("there", work.join("link")).unwrap();
    fs::create_dir_all(work.join("deep/er")).unwrap();
    write(&work.join("deep/er/file"), "12");
    write(&place.folder.path().join("temporary/t"), "t");
    assert_eq!(
        place.look(),
        [
            "…/temporary: …/temporary/t Added: nothing → file of 1 byte",
            ".: deep Added: nothing → directory with 2 entries",
            ".: gone Removed: empty file → nothing",
            ".: link Value: link to here → link to there",
            ".: mode Value: file of 1 byte with mode 644 → file of 1 byte with mode 600",
            ".: moved Removed: file of 5 bytes → nothing",
            ".: a/moved Added: nothing → file of 5 bytes",
            ".: a/b/old Content: file of 3 bytes → file of 3 bytes",
            ".: a/b/same Added: nothing → file of 1 byte",
        ]
    );
    assert_eq!(place.look(), [] as [&str; 0]);
    write(&work.join("a/b/same"), "1");
    write(&work.join("deep/er/file"), "34");
    assert_eq!(
        place.look(),
        [
            ".: a/b/same Rewritten: file of 1 byte → file of 1 byte",
            ".: deep/er/file Content: file of 2 bytes → file of 2 bytes",
        ]
    );
    fs::remove_dir_all(work.join("deep")).unwrap();
    fs::create_dir(work.join("deep")).unwrap();
    assert_eq!(place.look(), [".: deep/er Removed: directory with 1 entry → nothing"]);
    write(&work.join("deep/again"), "");
    assert_eq!(place.look(), [".: deep/again Added: nothing → empty file"]);
}

#[test]
fn what_comes_and_goes_between_two_looks_is_not_told() {
    let mut place = Place::new(&scope(&[], &[]), |_| {});
    let path = place.work().join("short");
    fs::create_dir(&path).unwrap();
    write(&path.join("file"), "x");
    fs::remove_dir_all(&path).unwrap();
    assert_eq!(place.look(), [] as [&str; 0]);
}

#[test]
fn a_directory_that_is_moved_is_followed() {
    let mut place = Place::new(&scope(&[], &[]), |work| {
        fs::create_dir(work.join("a")).unwrap();
        write(&work.join("a/x"), "1");
    });
    let work = place.work();
    fs::rename(work.join("a"), work.join("b")).unwrap();
    assert_eq!(place.look().len(), 2);
    write(&work.join("b/x"), "2");
    assert_eq!(place.look(), [".: b/x Content: file of 1 byte → file of 1 byte"]);
}

#[test]
fn a_directory_that_is_not_there_yet_is_seen_when_it_comes() {
    let mut place = Place::new(&scope(&["out/index"], &[]), |_| {});
    assert_eq!(place.look(), [] as [&str; 0]);
    let path = place.work().join("out/index");
    fs::create_dir_all(&path).unwrap();
    write(&path.join("x"), "1");
    assert_eq!(place.look(), ["out/index: out/index Added: nothing → directory with 1 entry"]);
    write(&path.join("x"), "2");
    assert_eq!(place.look(), ["out/index: out/index/x Content: file of 1 byte → file of 1 byte"]);
}

#[test]
fn ignored_files_and_their_directories_are_not_looked_at() {
    let mut place = Place::new(&scope(&["."], &["target/classes", "*.log"]), |work| {
        fs::create_dir_all(work.join("target/classes")).unwrap();
    });
    let work = place.work();
    write(&work.join("target/classes/x"), "1");
    write(&work.join("x.log"), "1");
    write(&work.join("target/y"), "1");
    fs::create_dir_all(work.join("sub/target/classes")).unwrap();
    assert_eq!(
        place.look(),
        [
            ".: sub Added: nothing → directory with 1 entry",
            ".: target/y Added: nothing → file of 1 byte",
        ]
    );
}

#[test]
fn a_file_that_is_too_large_is_compared_by_size() {
    let mut place = Place::new(&scope(&["."], &[]), |work| {
        write(&work.join("large"), &"x".repeat(1 << 17));
    });
    let path = place.work().join("large");
    write(&path, &"y".repeat(1 << 17));
    let size = 1 << 17;
    let same = format!(".: large Rewritten: file of {size} bytes → file of {size} bytes");
    assert_eq!(place.look(), [same]);
    write(&path, "y");
    assert_eq!(place.look(), [format!(".: large Value: file of {size} bytes → file of 1 byte")]);
}

#[test]
fn what_others_write_outside_of_the_working_directory_is_left_to_them() {
    let mut place = Place::new(&scope(&[], &[]), |_| {});
    let noise = place.folder.path().join("temporary/noise");
    let own = place.work().join("own");
    write(&noise, "1");
    write(&own, "1");
    place.files.leave_to_others();
    write(&noise, "2");
    write(&own, "2");
    assert_eq!(place.look(), [".: own Content: file of 1 byte → file of 1 byte"]);
}

#[test]
fn more_events_than_the_system_keeps_lose_nothing() {
    let mut place = Place::new(&scope(&["."], &[]), |work| {
        fs::create_dir(work.join("many")).unwrap();
        write(&work.join("changed"), "1");
        write(&work.join("same"), "1");
    });
    let work = place.work();
    write(&work.join("changed"), "2");
    // The queue takes 16384 events by default.
    for number in 0..9000 {
        let path = work.join("many").join(number.to_string());
        write(&path, "x");
        fs::remove_file(&path).unwrap();
    }
    assert_eq!(place.look(), [".: changed Content: file of 1 byte → file of 1 byte"]);
    write(&work.join("same"), "1");
    assert_eq!(place.look(), [".: same Rewritten: file of 1 byte → file of 1 byte"]);
}

#[test]
fn where_there_is_too_much_the_deepest_is_left_out_and_told() {
    let folder = tempfile::tempdir().unwrap();
    let work = folder.path().canonicalize().unwrap();
    for directory in 0..3 {
        let directory = work.join(format!("d{directory}/deep"));
        fs::create_dir_all(&directory).unwrap();
        for number in 0..11_000 {
            fs::File::create(directory.join(number.to_string())).unwrap();
        }
    }
    let surroundings = Surroundings { working_directory: work.clone(), temporary_directory: None };
    let (mut files, troubles) = Files::new(&scope(&[], &[]), surroundings);
    assert_eq!(troubles.len(), 1);
    assert!(troubles[0].contains("more than 20000 files"), "{troubles:?}");
    write(&work.join("d0/deep/new"), "");
    write(&work.join("d2/deep/new"), "");
    assert_eq!(told(&files.look()), [".: d0/deep/new Added: nothing → empty file"]);
}

/// What programs do, by small numbers.
#[derive(Debug, Clone)]
enum Deed {
    Write(u8, u8),
    MakeDirectory(u8),
    Remove(u8),
    Rename(u8, u8),
    Look,
}

fn deed() -> impl Strategy<Value = Deed> {
    prop_oneof![
        (0..9u8, 0..3u8).prop_map(|(path, content)| Deed::Write(path, content)),
        (0..9u8).prop_map(Deed::MakeDirectory),
        (0..9u8).prop_map(Deed::Remove),
        (0..9u8, 0..9u8).prop_map(|(from, to)| Deed::Rename(from, to)),
        Just(Deed::Look),
    ]
}

/// `a`, `a/b`, `a/b/c`, and so on.
fn path(number: u8) -> &'static str {
    ["a", "b", "c", "a/a", "a/b", "b/a", "b/b", "a/a/a", "a/b/a"][usize::from(number)]
}

/// Everything that is there, by path: content, or none for a directory.
fn all(root: &Path) -> BTreeMap<String, Option<Vec<u8>>> {
    let mut all = BTreeMap::new();
    let mut open = vec![root.to_owned()];
    while let Some(directory) = open.pop() {
        for entry in fs::read_dir(directory).unwrap() {
            let path = entry.unwrap().path();
            let name = path.strip_prefix(root).unwrap().to_str().unwrap().to_owned();
            if path.is_dir() {
                all.insert(name, None);
                open.push(path);
            } else {
                all.insert(name, Some(fs::read(path).unwrap()));
            }
        }
    }
    all
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]

    /// The paths that differ by comparing everything are those that are told, or below one that is told.
    #[test]
    fn nothing_is_missed_and_nothing_is_made_up(deeds in prop::collection::vec(deed(), 1..40)) {
        let mut place = Place::new(&scope(&["."], &[]), |_| {});
        let work = place.work();
        let mut before = all(&work);
        for deed in deeds.into_iter().chain([Deed::Look]) {
            // Some of it is impossible where it is tried, and does nothing then.
            match deed {
                Deed::Write(at, content) => drop(fs::write(work.join(path(at)), [content])),
                Deed::MakeDirectory(at) => drop(fs::create_dir(work.join(path(at)))),
                Deed::Remove(at) => {
                    let path = work.join(path(at));
                    let _ = fs::remove_file(&path).or_else(|_| fs::remove_dir_all(&path));
                }
                Deed::Rename(from, to) => drop(fs::rename(work.join(path(from)), work.join(path(to)))),
                Deed::Look => {
                    let after = all(&work);
                    let told: Vec<String> = place.files.look().differences.into_iter()
                        .filter(|one| one.kind != surefoot_model::DifferenceKind::Rewritten)
                        .map(|one| one.path)
                        .collect();
                    let paths = before.keys().chain(after.keys());
                    let differing: Vec<&String> =
                        paths.filter(|path| before.get(*path) != after.get(*path)).collect();
                    for path in &differing {
                        let covered = told.iter().any(|told| Path::new(path).starts_with(told));
                        prop_assert!(covered, "{path} is missing in {told:?}");
                    }
                    for path in &told {
                        prop_assert!(differing.contains(&path), "{path} is made up");
                    }
                    before = after;
                }
            }
        }
    }
}
