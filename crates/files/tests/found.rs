//! Real directories that tests leave in another state than they found them in.

#![allow(clippy::unwrap_used, reason = "what fails here fails the test")]

use std::collections::BTreeMap;
use std::fs::{self, Permissions};
use std::os::unix::fs::{PermissionsExt, symlink};
use std::path::{Path, PathBuf};
use std::time::UNIX_EPOCH;

use surefoot_files::{Found, Size};
use tempfile::TempDir;

struct Place {
    folder: TempDir,
    found: Found,
}

impl Place {
    /// A project whose files are kept before tests run there.
    fn kept() -> Place {
        let place = Place::new();
        place.found.keep(&place.work());
        place
    }

    fn new() -> Place {
        let folder = tempfile::tempdir().unwrap();
        let found = Found::in_folder(folder.path().join("found"));
        let place = Place { folder, found };
        for (path, text) in
            [("journal", "one\n"), ("data/seed", "7"), ("data/deep/x", "x"), (".git/HEAD", "main")]
        {
            place.write(path, text);
        }
        // Long ago: what is written in one tick of the clock of a file system has one time.
        fs::File::open(place.work().join("journal")).unwrap().set_modified(UNIX_EPOCH).unwrap();
        symlink("journal", place.work().join("link")).unwrap();
        fs::create_dir(place.work().join("empty")).unwrap();
        place.found.begin().unwrap();
        place
    }

    fn work(&self) -> PathBuf {
        self.folder.path().join("work")
    }

    fn write(&self, path: &str, text: &str) {
        let path = self.work().join(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }

    fn wait_for_the_clock_to_tick(&self) {
        let written = |name: &str| {
            let path = self.folder.path().join(name);
            fs::write(&path, "").unwrap();
            path.metadata().unwrap().modified().unwrap()
        };
        let now = written("clock");
        while written("clock") == now {}
    }

    fn difference(&self) -> Option<PathBuf> {
        self.found.files(&self.work()).unwrap().first_difference(|_| true).unwrap()
    }

    fn copy(&self, name: &str) -> (BTreeMap<PathBuf, String>, Size) {
        let to = self.folder.path().join(name);
        let size = self.found.files(&self.work()).unwrap().copy_to(&to).unwrap();
        (contents(&to), size)
    }
}

/// By path; of directories and links what they are.
fn contents(root: &Path) -> BTreeMap<PathBuf, String> {
    let mut all = BTreeMap::new();
    let mut open = vec![root.to_owned()];
    while let Some(directory) = open.pop() {
        for entry in fs::read_dir(directory).unwrap() {
            let path = entry.unwrap().path();
            let metadata = path.symlink_metadata().unwrap();
            let text = if metadata.is_dir() {
                open.push(path.clone());
                "directory".to_owned()
            } else if metadata.is_symlink() {
                format!("link to {}", fs::read_link(&path).unwrap().display())
            } else {
                let mode = metadata.permissions().mode() & 0o777;
                format!("{mode:o} {}", fs::read_to_string(&path).unwrap())
            };
            all.insert(path.strip_prefix(root).unwrap().to_owned(), text);
        }
    }
    all
}

#[test]
fn whatever_tests_do_to_files_a_copy_has_them_as_they_were_found() {
    type Deed = fn(&Path);
    let deeds: [(&str, Deed); 9] = [
        ("journal", |work| fs::write(work.join("journal"), "one\ntwo\n").unwrap()),
        ("journal", |work| fs::write(work.join("journal"), "two\n").unwrap()),
        ("journal", |work| fs::remove_file(work.join("journal")).unwrap()),
        ("data", |work| fs::remove_dir_all(work.join("data")).unwrap()),
        ("new", |work| fs::create_dir(work.join("new")).unwrap()),
        ("new", |work| fs::write(work.join("new"), "").unwrap()),
        ("journal", |work| {
            fs::set_permissions(work.join("journal"), Permissions::from_mode(0o400)).unwrap();
        }),
        ("link", |work| {
            fs::remove_file(work.join("link")).unwrap();
            symlink("data", work.join("link")).unwrap();
        }),
        ("empty", |work| {
            fs::remove_dir(work.join("empty")).unwrap();
            fs::write(work.join("empty"), "").unwrap();
        }),
    ];
    for (path, deed) in deeds {
        let place = Place::kept();
        let mut as_found = contents(&place.work());
        as_found.retain(|path, _| !path.starts_with(".git"));
        assert_eq!(place.difference(), None);
        deed(&place.work());
        place.found.end().unwrap();
        assert_eq!(place.difference(), Some(path.into()));
        let (copy, size) = place.copy("copy");
        assert_eq!(copy, as_found, "{path}");
        assert_eq!(size, Size { files: 3, bytes: 6 });
    }
}

#[test]
fn the_same_bytes_again_are_no_difference_and_some_paths_do_not_count() {
    let place = Place::kept();
    place.write("journal", "one\n");
    place.write(".git/HEAD", "other");
    assert_eq!(place.difference(), None);
    place.write("report", "");
    let kept = place.found.files(&place.work()).unwrap();
    assert_eq!(kept.first_difference(|path| path != Path::new("report")).unwrap(), None);
}

#[test]
fn only_who_comes_first_sees_files_as_they_were_found() {
    let place = Place::kept();
    assert_eq!(place.found.cost().0, 6);
    place.write("journal", "of the first");
    place.found.keep(&place.work());
    let (copy, _) = place.copy("copy");
    assert!(copy[Path::new("journal")].ends_with("one\n"), "{copy:?}");

    place.found.end().unwrap();
    place.found.begin().unwrap();
    place.found.keep(&place.work());
    assert_eq!(place.found.cost().0, 12, "only what has changed");
    let (copy, _) = place.copy("next");
    assert!(copy[Path::new("journal")].ends_with("of the first"), "{copy:?}");
}

/// What tests did stays undone; what people did since is what the next experiments find.
#[test]
fn what_others_change_after_the_tests_is_found_from_then_on() {
    let place = Place::kept();
    place.write("journal", "by a test");
    place.write("made", "by a test");
    fs::remove_file(place.work().join("link")).unwrap();
    place.found.end().unwrap();
    place.wait_for_the_clock_to_tick();
    place.write("data/seed", "by somebody");
    place.write("data/new/one", "by somebody");
    fs::remove_file(place.work().join("data/deep/x")).unwrap();
    place.found.files(&place.work()).unwrap().renew().unwrap();
    let (copy, _) = place.copy("copy");
    let told: Vec<String> =
        copy.iter().map(|(path, text)| format!("{}: {text}", path.display())).collect();
    assert_eq!(
        told,
        [
            "data: directory",
            "data/deep: directory",
            "data/new: directory",
            "data/new/one: 644 by somebody",
            "data/seed: 644 by somebody",
            "empty: directory",
            "journal: 644 one\n",
            "link: link to journal",
        ]
    );
}

#[test]
fn why_nothing_is_kept_is_said() {
    let place = Place::new();
    let reason = |place: &Place| place.found.files(&place.work()).unwrap_err();
    assert_eq!(reason(&place), "what was in it before the tests was not kept");
    fs::File::create(place.work().join("huge")).unwrap().set_len(300 << 20).unwrap();
    place.found.keep(&place.work());
    assert_eq!(reason(&place), "it holds more than 20000 files or 256 MiB");
}

#[test]
fn what_was_kept_of_directories_that_nobody_watches_any_more_goes() {
    let place = Place::kept();
    place.found.end().unwrap();
    let kept = || fs::read_dir(place.folder.path().join("found")).unwrap().count();
    assert_eq!(kept(), 4, "begun, kept, the files, and when it ended");
    place.found.begin().unwrap();
    place.found.end().unwrap();
    assert_eq!(kept(), 1);
}
